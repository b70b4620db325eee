import { generateContent } from "../shared/coding-agents/wires/generate-content.ts";
import { firstProgram } from "../shared/first-program.ts";

firstProgram("adk", generateContent);

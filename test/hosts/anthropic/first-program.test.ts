import { messages } from "../shared/coding-agents/wires/messages.ts";
import { firstProgram } from "../shared/first-program.ts";

firstProgram("anthropic", messages);

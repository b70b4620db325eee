import { responses } from "../shared/coding-agents/wires/responses.ts";
import { firstProgram } from "../shared/first-program.ts";

firstProgram("strands", responses);

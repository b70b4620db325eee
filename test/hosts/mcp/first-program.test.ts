import { messages } from "../shared/coding-agents/wires/messages.ts";
import { firstProgram } from "../shared/first-program.ts";

firstProgram("mcp", messages, { tool: "read_text_file", args: { path: "package.json" } });

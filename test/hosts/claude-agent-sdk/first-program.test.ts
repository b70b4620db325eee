import { messages } from "../shared/coding-agents/wires/messages.ts";
import { firstProgram } from "../shared/first-program.ts";

firstProgram("claude-agent-sdk", messages, { tool: "Read", args: { file_path: "package.json" } });

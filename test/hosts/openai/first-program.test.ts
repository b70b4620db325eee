import { chatCompletions } from "../shared/coding-agents/wires/chat-completions.ts";
import { firstProgram } from "../shared/first-program.ts";

firstProgram("openai", chatCompletions);

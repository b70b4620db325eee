import { Agent, type Tool } from "@openai/agents";
import { guardAgent } from "doomloop/openai-agents";

declare const tools: Tool[];

// #region agents-as-tools
const researcher = guardAgent(new Agent({ name: "Researcher", tools }));
const writer = guardAgent(new Agent({ name: "Writer", tools: [researcher.asTool({ toolName: "research" })] }));

// #endregion agents-as-tools

export { writer };

import type { Tool } from "@openai/agents";

declare const instructions: string;
declare const tools: Tool[];

// #region one-line
import { Agent, run } from "@openai/agents";
import { guardAgent } from "doomloop/openai-agents";

const agent = guardAgent(new Agent({ name: "Fixer", instructions, tools }));

const result = await run(agent, "Fix the login bug.");
// #endregion one-line

console.log(result.finalOutput);

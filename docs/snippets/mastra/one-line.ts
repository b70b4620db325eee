import type { AgentConfig, ToolsInput } from "@mastra/core/agent";

declare const id: string;
declare const name: string;
declare const instructions: string;
declare const model: AgentConfig["model"];
declare const tools: ToolsInput;
declare const prompt: string;

// #region one-line
import { Agent } from "@mastra/core/agent";
import { guard, loopStop } from "doomloop/mastra";

const agent = new Agent(guard({ id, name, instructions, model, tools }));
const result = await agent.generate(prompt, { maxSteps: 50 });
const stop = loopStop(result);
console.log(stop ? stop.explanation : result.text);
// #endregion one-line

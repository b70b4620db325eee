import { Agent, RunState, run } from "@openai/agents";
// #region stored
import { guard } from "doomloop/openai-agents";

const agent = guard(new Agent({ name: "Fixer", tools }));
const state = guard(await RunState.fromString(agent, text));
for (const item of state.getInterruptions()) await decide(state, item);
const result = await run(agent, state);
// #endregion stored

declare const tools: never[];
declare const text: string;
declare function decide(state: unknown, item: unknown): Promise<void>;

export { result };

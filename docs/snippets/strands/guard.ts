import type { Model, Tool } from "@strands-agents/sdk";

declare const model: Model;
declare const tools: Tool[];

// #region guard
import * as strands from "@strands-agents/sdk";
import { guard, loopStop } from "doomloop/strands";

const agent = new strands.Agent(guard({ model, tools }, { strands }));
const result = await agent.invoke("Fix the login bug.");

const stop = loopStop(result);
if (stop) console.warn(stop.explanation); // "Stopped: the agent called `search` 5 times ..."
// #endregion guard

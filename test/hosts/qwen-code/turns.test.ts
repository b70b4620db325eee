import { join } from "node:path";
import { describe } from "vitest";
import type { AgentPlace, CodingAgent } from "../shared/coding-agents/coding-agent.ts";
import { addStopHook, countsFromUser, withPrompt } from "../shared/coding-agents/stop-hook-contract.ts";
import { turnsContract } from "../shared/coding-agents/turns-contract.ts";
import { qwenCode } from "./qwen-code.ts";

/** As it is started by a user who wants more than eight turns from a Stop hook. */
const agent: CodingAgent = {
  ...qwenCode(),
  prepare(place) {
    const start = qwenCode().prepare(place);
    return { ...start, env: { ...start.env, QWEN_CODE_STOP_HOOK_BLOCK_CAP: "100" } };
  },
};
const keepGoing = (place: AgentPlace) => addStopHook(place, join(place.home, ".qwen/settings.json"));

turnsContract(agent, { keepGoing, canTell: true, canEnd: true, exitCode: 0 });

describe("turns of qwen-code", () => {
  countsFromUser(agent, { keepGoing, again: (start) => [...withPrompt(start, "Do something else."), "--continue"] });
});

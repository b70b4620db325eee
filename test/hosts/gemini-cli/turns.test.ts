import { join } from "node:path";
import { describe } from "vitest";
import type { AgentPlace } from "../shared/coding-agents/coding-agent.ts";
import { addStopHook, countsFromUser, endsLooks, withPrompt } from "../shared/coding-agents/stop-hook-contract.ts";
import { turnsContract } from "../shared/coding-agents/turns-contract.ts";
import { geminiCli } from "./gemini-cli.ts";

const keepGoing = (place: AgentPlace) => addStopHook(place, join(place.home, ".gemini/settings.json"), "AfterAgent");
const again = (start: readonly string[]) => [...withPrompt(start, "Do something else."), "--resume", "latest"];

turnsContract(geminiCli, { keepGoing, canTell: true, canEnd: true, exitCode: 0 });

describe("turns of gemini-cli", () => {
  endsLooks(geminiCli, { keepGoing, again, late: 1 });
  countsFromUser(geminiCli, { keepGoing, again });
});

import { join } from "node:path";
import type { AgentPlace } from "../shared/coding-agents/coding-agent.ts";
import { addStopHook, stopHookContract, withPrompt } from "../shared/coding-agents/stop-hook-contract.ts";
import { turnsContract } from "../shared/coding-agents/turns-contract.ts";
import { geminiCli } from "./gemini-cli.ts";

const keepGoing = (place: AgentPlace) => addStopHook(place, join(place.home, ".gemini/settings.json"), "AfterAgent");

turnsContract(geminiCli, { keepGoing, canTell: true, canEnd: true, exitCode: 0 });
stopHookContract(geminiCli, {
  keepGoing,
  again: (start) => [...withPrompt(start, "Do something else."), "--resume", "latest"],
});

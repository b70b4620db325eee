import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type CodingAgent, writeSettings } from "../shared/coding-agents/coding-agent.ts";
import {
  BLOCKED,
  countsFromUser,
  firstTold,
  runLogged,
  withPrompt,
} from "../shared/coding-agents/stop-hook-contract.ts";
import { turnsContract } from "../shared/coding-agents/turns-contract.ts";
import { copilotCli } from "./copilot-cli.ts";

turnsContract(autopilot(30), {
  canTell: true,
  canEnd: true,
  exitCode: 1,
  done: { calls: [{ tool: "task_complete", args: { summary: "All pages are written." } }] },
});

describe("turns of copilot-cli", () => {
  it("are told of if another hook starts them, which Copilot CLI allows eight times", async () => {
    const another = JSON.stringify({ decision: "block", reason: "Go on." });
    const { requests, output } = await runLogged(
      copilotCli,
      () => BLOCKED,
      ({ home }) =>
        writeSettings(join(home, ".copilot/hooks/other.json"), {
          version: 1,
          hooks: { agentStop: [{ type: "command", bash: `echo '${another}'` }] },
        }),
    );

    expect(firstTold(requests), output).toBe(4);
  });

  countsFromUser(autopilot(2), {
    keepGoing: () => {},
    again: (start) => [...withPrompt(start, "Do something else."), "--continue"],
  });
});

/** Copilot CLI, as it takes so many turns without being asked. */
function autopilot(turns: number): CodingAgent {
  return {
    ...copilotCli,
    prepare(place) {
      const { words, ...start } = copilotCli.prepare(place);
      return { ...start, words: [...words, "--autopilot", "--max-autopilot-continues", String(turns - 1)] };
    },
  };
}

import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { CodingAgent } from "./coding-agent.ts";
import type { ModelTurn } from "./model-turn.ts";
import { runAgent } from "./run-agent.ts";
import { STOPPED_AT, STOPPED_MS, slowly } from "./slow-loop.ts";

/** The request of the call at which the run is told to start over: before the loop, the check fails once, and a file is made. */
const LAST = 2 + STOPPED_AT;

/** What an agent must do with our hook where it may start over. */
export function describeStartOver(agent: CodingAgent): void {
  /** Sees a check fail, makes a file, sees it fail in the same way again and again, and gives up when it was told to start over. */
  const script = (request: number): ModelTurn => {
    if (request === 2) return { calls: [agent.shell("echo worse > scratch.txt && echo made")] };
    return request > LAST ? { text: "I give up." } : { calls: [agent.shell("sh ./test.sh")] };
  };

  it(`tells a run of ${agent.name} to start over, and leaves its files`, async () => {
    const hook = ["--unattended", "--start-over"];
    let isThere = false;
    const { requests, output, exitCode } = await runAgent(agent, {
      script: slowly(script, STOPPED_MS),
      hook,
      inspect({ folder }) {
        isThere = existsSync(join(folder, "scratch.txt"));
      },
    });

    expect(isThere, output).toBe(true);
    expect(requests.findIndex((request) => request.includes("[doomloop] Start over")) + 1).toBe(LAST + 1);
    expect({ requests: requests.length, exitCode }).toEqual({ requests: LAST + 1, exitCode: 0 });
  });
}

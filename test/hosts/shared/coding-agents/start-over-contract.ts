import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import type { CodingAgent } from "./coding-agent.ts";
import type { ModelTurn } from "./model-turn.ts";
import { runAgent } from "./run-agent.ts";
import { STOPPED_AT, STOPPED_MS, slowly } from "./slow-loop.ts";

const main = resolve(import.meta.dirname, "../../../../packages/doomloop/src/cli/main.ts");

/** The request of the call at which the run starts over: the one before the loop makes a file. */
const LAST = 1 + STOPPED_AT;

/** What an agent must do with our hook where it may start over. */
export function describeStartOver(agent: CodingAgent): void {
  /** Makes a file, fails in the same way again and again, and gives up when it was told to start over. */
  const script = (request: number): ModelTurn => {
    if (request === 1) return { calls: [agent.shell("echo worse > scratch.txt && echo made")] };
    return request > LAST ? { text: "I give up." } : { calls: [agent.shell("cat missing.txt")] };
  };

  it(`lets a run of ${agent.name} start over, and doomloop undo take that back`, async () => {
    const hook = ["--host", agent.name, "--unattended", "--start-over"];
    const files: boolean[] = [];
    const { requests, output, exitCode } = await runAgent(agent, {
      script: slowly(script, STOPPED_MS),
      hook,
      inspect({ folder, home, state }) {
        const isThere = () => files.push(existsSync(join(folder, "scratch.txt")));
        isThere();
        const env = { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: state };
        execFileSync(process.execPath, [main, "undo"], { cwd: folder, env });
        isThere();
      },
    });

    expect(files, output).toEqual([false, true]);
    expect(requests.findIndex((request) => request.includes("[doomloop] Start over")) + 1).toBe(LAST + 1);
    expect({ requests: requests.length, exitCode }).toEqual({ requests: LAST + 1, exitCode: 0 });
  });
}

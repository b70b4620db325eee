import { chmodSync, cpSync, linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packageHome } from "../../../../scripts/package/manifest.ts";
import type { AgentPlace, CodingAgent } from "./coding-agent.ts";
import type { ModelTurn } from "./model-turn.ts";
import { type AgentRun, hookState, type InstalledDoomloop, runAgent } from "./run-agent.ts";

/** What breaks, and what the agent must not notice. */
interface Fault {
  readonly name: string;
  /** How many calls the model makes. A hook that hangs is waited for at each event. */
  readonly calls?: number;
  /** Whether the hook works all the same. */
  readonly isMended?: boolean;
  readonly change: (place: AgentPlace, doomloop: InstalledDoomloop) => void;
}

const CALLS = 5;

const FAULTS: readonly Fault[] = [
  { name: "the package is gone", change: (_, { folder }) => remove(folder) },
  { name: "Node is gone", change: (_, { node }) => remove(node) },
  { name: "Node is a program that fails", change: (_, { node }) => replace(node, "echo oops >&2\nexit 1") },
  { name: "Node is a program that hangs", calls: 1, change: (_, { node }) => replace(node, "sleep 60") },
  {
    name: "Node is a program that prints an answer of its own",
    change: (_, { node }) =>
      replace(node, `cat > /dev/null\necho '{"continue":false,"decision":"block","cancel":true}'`),
  },
  { name: "the state folder is gone", isMended: true, change: (place) => remove(place.state) },
  { name: "the state folder is a file", change: (place) => writeFileSync(emptied(place), "") },
  {
    name: "nobody can write to the state folder",
    change: (place) => {
      const state = emptied(place);
      // Not even root can write there.
      if (process.platform === "linux") return symlinkSync("/sys", state);
      mkdirSync(state);
      chmodSync(state, 0o500);
    },
  },
];

/** What every agent must do if our hook cannot work: go on as if there were none. */
export function describeDoors(agent: CodingAgent): void {
  const script =
    (calls: number) =>
    (request: number): ModelTurn =>
      request > calls ? { text: "I give up." } : { calls: [agent.shell("cat result.txt")] };

  describe(`a broken hook in ${agent.name}`, { retry: agent.retries ?? 0 }, () => {
    let folder: string;
    const bare = new Map<number, AgentRun>();
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "dl-"));
      for (const calls of [1, CALLS]) bare.set(calls, await runAgent(agent, { script: script(calls) }));
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it.for(FAULTS)("changes nothing if $name", async ({ name, calls = CALLS, isMended = false, change }) => {
      const doomloop = install(join(folder, name.replaceAll(" ", "-")));
      const run = await runAgent(agent, {
        script: script(calls),
        hook: ["--unattended"],
        doomloop,
        change: (place) => change(place, doomloop),
      });
      const without = bare.get(calls);

      expect(summary(run), run.output).toEqual(without && summary(without));
      expect(run.looks).toBe(run.requests.length - 1);
      expect(run.requests.some((request) => request.includes("[doomloop]"))).toBe(isMended);
    });

    it("changes nothing if everything is gone in the middle of the run", async () => {
      const doomloop = install(join(folder, "middle"));
      let where: AgentPlace | undefined;
      const run = await runAgent(agent, {
        script(request) {
          if (request === 3) for (const path of [doomloop.folder, doomloop.node, where?.state]) remove(path ?? "");
          return script(CALLS)(request);
        },
        hook: ["--unattended"],
        doomloop,
        change: (place) => {
          where = place;
        },
      });
      const without = bare.get(CALLS);

      expect(summary(run), run.output).toEqual(without && summary(without));
      expect(run.looks).toBe(run.requests.length - 1);
    });
  });
}

function summary({ requests, exitCode }: AgentRun) {
  return { requests: requests.length, exitCode };
}

/** A Node and a package that can be broken. */
function install(folder: string): InstalledDoomloop {
  const doomloop = { node: join(folder, "node"), folder: join(folder, "doomloop") };
  mkdirSync(doomloop.folder, { recursive: true });
  linkOrCopy(process.execPath, doomloop.node);
  for (const name of ["dist", "package.json"])
    cpSync(join(packageHome, name), join(doomloop.folder, name), { recursive: true });
  return doomloop;
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    cpSync(from, to);
  }
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

/** Replaces a program by a script for a shell. */
function replace(program: string, script: string): void {
  rmSync(program);
  writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/** The path of the state folder, which `init` has written to, with nothing there. */
function emptied(place: AgentPlace): string {
  const state = hookState(place);
  remove(state);
  return state;
}

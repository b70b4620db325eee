import { spawnSync } from "node:child_process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createGuard } from "../../../packages/doomloop/src/index.ts";
import type { Bench } from "../measure.ts";

const ROUNDS = 15;

const GOAL_MS = 30;

/** If Node itself starts slowly, the machine is slow and the package is not to blame. */
const LIMIT_IN_BARE_STARTS = 1.6;

/** Both processes print their time, so that both pay for printing. */
const TELL = `const { userCPUTime, systemCPUTime } = process.resourceUsage();
process.stdout.write(String((userCPUTime + systemCPUTime) / 1000));`;

const FIRST_CALL = `import { createGuard } from "doomloop";
createGuard().observe({ type: "call", id: "1", tool: "bash", args: { command: "npm test" } });
${TELL}`;

/**
 * A process that creates a guard and observes one call, against one that does nothing. Measures the CPU time of the whole process, because the wall
 * clock also counts other work on the machine. Needs a build.
 */
export const coldStart: Bench = () => {
  const bare: Start[] = [];
  const guarded: Start[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const starts = [start(["-e", TELL]), start(["--input-type=module", "-e", FIRST_CALL])] as const;
    // The first round reads the files from disk.
    if (round < 0) continue;
    bare.push(starts[0]);
    guarded.push(starts[1]);
  }
  const over = (key: keyof Start): number => median(guarded, key) - median(bare, key);
  const bareMs = median(bare, "cpuMs");
  return {
    what: "a guard and its first call in a new process, over bare Node",
    measured: over("cpuMs"),
    goal: GOAL_MS,
    limit: Math.max(GOAL_MS, bareMs * LIMIT_IN_BARE_STARTS),
    unit: "ms",
    detail: `medians of ${ROUNDS} starts each, by turns; bare Node takes ${bareMs.toFixed(1)} ms; ${over("wallMs").toFixed(1)} ms on the clock`,
  };
};

const GUARDS = 1_000;
const CALLS = 20;

/** The memory of a guard after 20 calls, which limits the number of runs in one process. */
export const memory: Bench = () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const used = (): number => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  const guards = Array.from({ length: GUARDS }, () => createGuard());
  const fresh = (used() - before) / GUARDS / 1_000;
  for (let at = 0; at < CALLS; at++) {
    for (const [run, guard] of guards.entries()) {
      const times = { call: at * 4_000, result: at * 4_000 + 50 };
      guard.observe({
        type: "call",
        id: `${at}`,
        tool: "read_file",
        args: { path: `src/${run}-${at}.ts` },
        at: times.call,
      });
      const output = `export const value${run} = ${at};\n`.repeat(10);
      guard.observe({ type: "result", id: `${at}`, output, at: times.result });
    }
  }
  return {
    what: "the memory of a guard in its process, after 20 calls",
    measured: (used() - before) / GUARDS / 1_000,
    goal: 40,
    limit: 60,
    unit: "KB",
    detail: `${GUARDS} guards; ${fresh.toFixed(0)} KB before the first call, ${snapshotOf(guards[0]!)} KB as a snapshot`,
  };
};

function snapshotOf(guard: { snapshot(): unknown }): string {
  return (JSON.stringify(guard.snapshot()).length / 1_000).toFixed(0);
}

interface Start {
  readonly cpuMs: number;
  readonly wallMs: number;
}

function start(options: string[]): Start {
  const before = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, options, {
    cwd: import.meta.dirname,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`cold start: a build is required (npm run build), got\n${stderr}`);
  return { cpuMs: Number(stdout), wallMs: performance.now() - before };
}

function median(starts: readonly Start[], key: keyof Start): number {
  const sorted = starts.map((one) => one[key]).sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)]!;
}

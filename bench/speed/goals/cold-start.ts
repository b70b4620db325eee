import { spawnSync } from "node:child_process";
import type { Bench } from "../goal.ts";

const ROUNDS = 15;
const GOAL_MS = 30;
/** A machine on which Node itself takes long is slow, and the package is not to blame. */
const LIMIT_IN_BARE_STARTS = 1.6;

/** Both print what they took, so that both pay for printing. */
const TELL = `const { userCPUTime, systemCPUTime } = process.resourceUsage();
process.stdout.write(String((userCPUTime + systemCPUTime) / 1000));`;
const FIRST_CALL = `import { createGuard } from "doomloop";
createGuard().observe({ type: "call", id: "1", tool: "bash", args: { command: "npm test" } });
${TELL}`;

interface Start {
  readonly cpuMs: number;
  readonly wallMs: number;
}

/**
 * A process that makes a guard and shows it one call, against one that does nothing. Counts the processor's time of the whole process: the clock on the
 * wall also counts whoever else is at work. Needs a build.
 */
export const coldStart: Bench = () => {
  const bare: Start[] = [];
  const guarded: Start[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const starts = [start(["-e", TELL]), start(["--input-type=module", "-e", FIRST_CALL])] as const;
    // The first round reads the files from the disk.
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

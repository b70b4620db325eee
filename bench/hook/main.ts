import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { sessionInput } from "./session-input.ts";

/**
 * How long a coding agent waits for a hook, against a Node that does nothing. Needs a build.
 *
 *     npm run bench:hook -- 200 other-build.cjs ...
 *
 * All take turns within one run, so that whoever else is at work on the machine meets all of them. The wall clock and the processor's time
 * are measured in different rounds: telling the latter takes time of its own.
 */
const [rounds = "100", ...others] = process.argv.slice(2);
const hook = resolve(import.meta.dirname, "../../packages/doomloop/dist/agents/hook-program/main.cjs");
const folder = mkdtempSync(join(tmpdir(), "doomloop-bench-hook-"));
const teller = join(folder, "tell.cjs");
writeFileSync(
  teller,
  `process.on("exit", () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  require("node:fs").writeSync(2, "CPU " + (userCPUTime + systemCPUTime) / 1000);
});`,
);

interface Contestant {
  readonly name: string;
  readonly words: readonly string[];
  readonly wallMs: number[];
  readonly cpuMs: number[];
}
const contestants: Contestant[] = [
  { name: "bare", words: ["-e", "0"], wallMs: [], cpuMs: [] },
  ...[hook, ...others].map((file, at) => ({
    name: at === 0 ? "hook" : basename(file),
    words: [resolve(file), "--host", "claude-code"],
    wallMs: [],
    cpuMs: [],
  })),
];
/** The first rounds read from the disk, and begin the run. */
const WARM_UP = 8;

try {
  for (let round = -WARM_UP; round < Number(rounds); round++) for (const one of contestants) start(one, round);
  for (const { name, wallMs, cpuMs } of contestants) {
    console.log(`${name.padEnd(16)} wall ${figures(wallMs)}   CPU ${figures(cpuMs)}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function start({ name, words, wallMs, cpuMs }: Contestant, round: number): void {
  // Of the four events of a step, one half is for each clock.
  const step = Math.floor((round + WARM_UP) / 4);
  const isCpu = (round + WARM_UP) % 2 === 1;
  const input = sessionInput((round + WARM_UP) % 4 < 2 ? "PreToolUse" : "PostToolUse", step);
  const env = { ...process.env, XDG_STATE_HOME: join(folder, name) };
  const before = performance.now();
  const child = spawnSync(process.execPath, [...(isCpu ? ["--require", teller] : []), ...words], {
    input,
    env,
    encoding: "utf8",
  });
  const spentMs = performance.now() - before;
  if (child.status !== 0) throw new Error(`bench/hook: a build is required (npm run build), got\n${child.stderr}`);
  if (round < 0) return;
  if (isCpu) cpuMs.push(Number(/CPU (.*)/.exec(child.stderr)?.[1]));
  else wallMs.push(spentMs);
}

function figures(times: number[]): string {
  const sorted = times.sort((one, other) => one - other);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(1).padStart(6);
  return `20% ${at(0.2)}  median ${at(0.5)}  99% ${at(0.99)} ms`;
}

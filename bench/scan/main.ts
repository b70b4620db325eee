import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { generateLongSession, generateSessions } from "./generate-sessions.ts";

/**
 * How fast transcripts are scanned, beside bare splitting and parsing. Prints a table.
 *
 * `main.ts [--megabytes N] [--rounds N] [--check]`. Ratios of one run, the best of all rounds on each side. Needs a build, and a machine with two
 * free cores for the second row.
 */
const { values: asked } = parseArgs({
  options: {
    megabytes: { type: "string", default: "1024" },
    rounds: { type: "string", default: "3" },
    check: { type: "boolean", default: false },
  },
});

interface Measured {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly calls: number;
  readonly megabytes: number;
}

const SESSIONS_PER_FILE = 20;
const MEGABYTE = 1e6;
const folder = mkdtempSync(join(tmpdir(), "doomloop-scan-"));
const many = join(folder, "many");
const long = join(folder, "long.jsonl");

try {
  const bytes = Number(asked.megabytes) * MEGABYTE;
  generateSessions(many, bytes, SESSIONS_PER_FILE);
  generateLongSession(long, bytes);
  const best = { bare: measure("bare", many), one: measure("one", many), two: measure("two", many) };
  for (let round = 1; round < Number(asked.rounds); round++) {
    for (const what of ["bare", "one", "two"] as const) best[what] = faster(best[what], measure(what, many));
  }
  const single = measure("one", long);
  const first = measure("cached", many);
  const second = faster(measure("cached", many), measure("cached", many));
  report([
    ["one thread, of bare parsing, CPU time", best.bare.cpuSeconds / best.one.cpuSeconds, 0.7, true],
    ["two threads, of one, as the clock has it", best.one.seconds / best.two.seconds, 1.6, true],
    ["memory of one long session, MB", single.megabytes, 300, false],
    ["second scan, times faster", first.seconds / second.seconds, 10, true],
  ]);
  console.log(
    `\n${asked.megabytes} MB, ${best.one.calls} calls; bare parsing ${(bytes / MEGABYTE / best.bare.seconds).toFixed(0)} MB/s.`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The best of both: others may be at work on the machine. */
function faster(one: Measured, other: Measured): Measured {
  const least = (key: keyof Measured): number => Math.min(one[key], other[key]);
  return { ...one, seconds: least("seconds"), cpuSeconds: least("cpuSeconds") };
}

function measure(what: string, path: string): Measured {
  const program = fileURLToPath(new URL("./measure.ts", import.meta.url));
  const env = { ...process.env, DOOMLOOP_CACHE: join(folder, "cache") };
  return JSON.parse(execFileSync(process.execPath, [program, what, path], { env, encoding: "utf8" })) as Measured;
}

/** What was measured, the goal, and whether more is better. */
type Row = readonly [what: string, value: number, goal: number, isMoreBetter: boolean];

function report(rows: readonly Row[]): void {
  console.log("| what | measured | goal |\n|---|--:|--:|");
  for (const [what, value, goal, isMoreBetter] of rows) {
    console.log(`| ${what} | ${value.toFixed(2)} | ${isMoreBetter ? "at least" : "at most"} ${goal} |`);
    if (asked.check && (isMoreBetter ? value < goal : value > goal)) process.exitCode = 1;
  }
}

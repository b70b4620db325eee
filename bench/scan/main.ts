import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundleMeasure } from "./bundle-measure.ts";
import { type FirstScreen, prepareFirstScreen } from "./first-screen.ts";
import { generateLongSession, generateSessions } from "./generate-sessions.ts";

/**
 * How fast transcripts are scanned, beside bare splitting and parsing. Prints a table.
 *
 * `main.ts [--megabytes N] [--rounds N] [--check]`, or `main.ts --folder FOLDER` for transcripts of your own. Ratios of one run, the best of all rounds on each side. Needs a build, and a machine with two
 * free cores for the second and the last row.
 */
const { values: asked } = parseArgs({
  options: {
    megabytes: { type: "string", default: "1024" },
    rounds: { type: "string", default: "3" },
    check: { type: "boolean", default: false },
    folder: { type: "string" },
  },
});

interface Measured {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly calls: number;
  readonly megabytes: number;
}

const MEGABYTE = 1e6;
const HOME_BYTES = 200 * MEGABYTE;
const folder = mkdtempSync(join(tmpdir(), "doomloop-scan-"));
const many = join(folder, "many");
const long = join(folder, "long.jsonl");
const rounds = Number(asked.rounds);
const program = await bundleMeasure();

if (asked.folder !== undefined) {
  const [bare, one] = [bestOf("bare", asked.folder), bestOf("one", asked.folder)];
  console.log(
    `${one.calls} calls. CPU time: bare parsing ${bare.cpuSeconds.toFixed(1)} s, one thread ${one.cpuSeconds.toFixed(1)} s, ${(one.cpuSeconds / bare.cpuSeconds).toFixed(1)} times as much.`,
  );
  process.exit();
}

try {
  const bytes = Number(asked.megabytes) * MEGABYTE;
  generateSessions(many, bytes);
  generateLongSession(long, bytes);
  const best = { bare: measure("bare", many), one: measure("one", many), two: measure("two", many) };
  for (let round = 1; round < rounds; round++) {
    for (const what of ["bare", "one", "two"] as const) best[what] = faster(best[what], measure(what, many));
  }
  const first = measure("cached", many);
  const second = faster(measure("cached", many), measure("cached", many));
  const screen = await firstScreen();
  report([
    ["speed of one thread relative to bare parsing, CPU time", best.bare.cpuSeconds / best.one.cpuSeconds, 0.7, true],
    ["speed of two threads relative to one, wall-clock time", best.one.seconds / best.two.seconds, 1.6, true],
    ["memory of one long session, MB", measure("one", long).megabytes, 300, false],
    ["memory of two threads, MB", Math.max(best.two.megabytes, measure("two", long).megabytes), 300, false],
    ["second scan, times faster", first.seconds / second.seconds, 10, true],
    ["first figures on a terminal, 200 MB of eight agents, s", screen.firstSeconds, 1, false],
  ]);
  console.log(
    `\n${asked.megabytes} MB, ${best.one.calls} calls; bare parsing ${(bytes / MEGABYTE / best.bare.seconds).toFixed(0)} MB/s; the 200 MB whole in ${screen.wholeSeconds.toFixed(1)} s.`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function bestOf(what: "bare" | "one", path: string): Measured {
  let best = measure(what, path);
  for (let round = 1; round < rounds; round++) best = faster(best, measure(what, path));
  return best;
}

async function firstScreen(): Promise<FirstScreen> {
  const show = prepareFirstScreen(join(folder, "screen"), HOME_BYTES);
  let best = await show();
  for (let round = 1; round < rounds; round++) {
    const next = await show();
    if (next.firstSeconds < best.firstSeconds) best = next;
  }
  return best;
}

/** The best of both times, because others may be at work on the machine, and the most memory. */
function faster(one: Measured, other: Measured): Measured {
  const least = (key: keyof Measured): number => Math.min(one[key], other[key]);
  const megabytes = Math.max(one.megabytes, other.megabytes);
  return { ...one, seconds: least("seconds"), cpuSeconds: least("cpuSeconds"), megabytes };
}

function measure(what: string, path: string): Measured {
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

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type AgentEvent, createGuard } from "../../packages/doomloop/src/index.ts";
import { percent, toTable } from "../quality/report.ts";
import { type Clock, measure } from "./measure.ts";
import { createNumbers, prose, type Sample } from "./sample-runs.ts";

type CreateGuard = () => { observe(event: AgentEvent): unknown };
type Work = Pick<Sample, "runs" | "steps"> & { readonly name: string };

const ROOT = resolve(import.meta.dirname, "../..");
const PACKAGES = ["node_modules", "packages/doomloop/node_modules"];
const SIZES = { "100 characters": 100, "10 kB": 10_000 };
const RUNS = 40;
const CALLS = 50;

/** Measures our guard against that of a commit, in one process and by turns. Returns a table. */
export async function measureAgainst(commit: string, clock: Clock, sample: Sample): Promise<string> {
  const old = await loadGuardOf(commit);
  const works = [
    { name: sample.origin, ...sample },
    ...Object.entries(SIZES).map(([name, size]) => runsOf(name, size)),
  ];
  const rows = works.map((work) => {
    const times = measure(clock, { now: () => () => watch(work, createGuard), before: () => () => watch(work, old) });
    const each = (ms: number): string => `${((1_000 * ms) / work.steps).toFixed(1)} µs`;
    return [work.name, `${work.steps}`, each(times.now), each(times.before), percent(times.now / times.before)];
  });
  return toTable(["results", "calls", "a call now", `at ${commit}`, "share"], rows);
}

/** Imports the source of a commit from a work tree that is gone when all is loaded. */
async function loadGuardOf(commit: string): Promise<CreateGuard> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "doomloop-speed-")));
  const git = (...words: string[]): string =>
    execFileSync("git", words, { cwd: ROOT, encoding: "utf8", stdio: "pipe" });
  try {
    git("worktree", "add", "--detach", folder, commit);
    for (const path of PACKAGES)
      if (existsSync(join(ROOT, path))) symlinkSync(realpathSync(join(ROOT, path)), join(folder, path), "junction");
    const module = pathToFileURL(join(folder, "packages/doomloop/src/index.ts"));
    return ((await import(module.href)) as { createGuard: CreateGuard }).createGuard;
  } finally {
    // Of an unknown commit, there is only the folder.
    if (existsSync(join(folder, ".git"))) git("worktree", "remove", "--force", folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads of other files, each with a result of this length. */
function runsOf(length: string, size: number): Work {
  const next = createNumbers(size);
  const runs = Array.from({ length: RUNS }, () =>
    Array.from({ length: CALLS }, (_, call): AgentEvent[] => {
      const id = `call_${call}`;
      const output = prose(size, next).slice(0, size);
      return [
        { type: "call", id, tool: "read_file", args: { path: `src/part-${next(1_000)}.ts`, limit: 200 } },
        { type: "result", id, output },
      ];
    }).flat(),
  );
  return { name: `of ${length}`, runs, steps: RUNS * CALLS };
}

function watch({ runs }: Work, create: CreateGuard): void {
  for (const events of runs) {
    const guard = create();
    for (const event of events) guard.observe(event);
  }
}

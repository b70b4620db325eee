import { basename } from "node:path";
import { parseArgs } from "node:util";
import type { PresetName } from "../../packages/doomloop/src/core/policy/levels.ts";
import { openTrace, readTrace } from "../../packages/doomloop/src/transcripts/trace/read-trace.ts";
import { findData } from "../quality/find-data.ts";
import { seedOf } from "../quality/random.ts";
import { addTo, emptyTally, linesOf, type Tally, tryExport } from "./try-export.ts";

/**
 * Measures how many runs are judged alike after they are redacted as in `scan --export`. Prints a table.
 *
 * `main.ts [FOLDER] [--half tuning|held-out] [--every N] [--preset NAME] [--verbose]`. The folder holds traces; the default is those that `bench:quality` finds. Runs are
 * divided into halves by task: redaction was tuned on one half, and the figures in the docs come from the other. `--every` takes each N-th run, `--verbose` names the runs
 * that are judged differently.
 */
const { values: asked, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    half: { type: "string" },
    every: { type: "string", default: "1" },
    preset: { type: "string", default: "balanced" },
    verbose: { type: "boolean", default: false },
  },
});

const data = findData({ folder: positionals[0], labels: undefined }, process.env);
const rows: [name: string, tally: Tally][] = [];
for (const [kind, paths] of Object.entries(data.traces)) {
  if (paths.length === 0) console.log(`Skipped: no ${kind} runs here.`);
  const tally = emptyTally();
  for (const path of paths) await measure(path, kind, tally);
  if (tally.runs > 0) rows.push([kind, tally]);
}
for (const line of linesOf(rows)) console.log(line);

async function measure(path: string, kind: string, tally: Tally): Promise<void> {
  let number = 0;
  for await (const { run, task, events } of readTrace(openTrace(path))) {
    // Each session of a person counts as a task of its own.
    const half = seedOf(kind === "sessions" ? run : (task ?? run)) % 2 === 0 ? "tuning" : "held-out";
    if (asked.half !== undefined && asked.half !== half) continue;
    if (number++ % Number(asked.every) !== 0) continue;
    const tried = tryExport(events, { preset: asked.preset as PresetName }, seedOf(run));
    addTo(tally, tried);
    if (asked.verbose && !tried.isSame) console.error(`${basename(path)} ${run}: ${tried.difference}`);
  }
}

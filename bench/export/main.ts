import { basename } from "node:path";
import { parseArgs } from "node:util";
import type { PresetName } from "../../packages/doomloop/src/core/policy/presets.ts";
import { openTrace, readTrace } from "../../packages/doomloop/src/transcripts/trace/read-trace.ts";
import { findData } from "../quality/find-data.ts";
import { seedOf } from "../quality/random.ts";
import { addTo, emptyTally, linesOf, type Tally } from "./tally.ts";
import { tryExport } from "./try-export.ts";

/**
 * How many runs are judged alike once they are redacted as `scan --export` does it. Prints a table.
 *
 * `main.ts [FOLDER] [--half tuning|held-out] [--every N] [--preset NAME] [--verbose]`. The folder holds traces; without one, those that `bench:quality` finds. Halves are
 * by task: what redaction keeps is chosen on one, and the figures in the docs are those of the other. `--every` takes each N-th run, `--verbose` names those that are
 * judged differently.
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
    // Sessions of people at work are each a task of their own.
    const half = seedOf(kind === "sessions" ? run : (task ?? run)) % 2 === 0 ? "tuning" : "held-out";
    if (asked.half !== undefined && asked.half !== half) continue;
    if (number++ % Number(asked.every) !== 0) continue;
    const tried = tryExport(events, { preset: asked.preset as PresetName }, seedOf(run));
    addTo(tally, tried);
    if (asked.verbose && !tried.isSame) console.error(`${basename(path)} ${run}: ${tried.difference}`);
  }
}

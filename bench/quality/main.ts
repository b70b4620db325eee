import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type PresetName, presetOf } from "../../packages/doomloop/src/core/policy/presets.ts";
import { figuresOf, findLosses, readFigures, writeFigures } from "./committed-figures.ts";
import { readLabels } from "./labels.ts";
import { leaveOneOut } from "./leave-one-out.ts";
import { measure } from "./measure.ts";
import { replaySources } from "./replay-sources.ts";
import { leftOutToMarkdown, toMarkdown } from "./report.ts";
import type { ScoredWindow } from "./score-windows.ts";
import { SHIPPED, thresholdGrid } from "./threshold-grid.ts";

/**
 * How well loops are found, and how often work that succeeds is disturbed. Prints tables.
 *
 * `main.ts [FOLDER] [--labels FILE] [--preset NAME] [--detector FILE] [--json FILE] [--check] [--write] [-v]`.
 * The folder holds traces, one file a source. `--detector` names a module that exports `detect(run): number[]`, the
 * calls at which it speaks; it is put beside ours. `--check` fails if a figure is worse than the committed one by more
 * than the tolerance; `--write` commits the figures to `figures.json`; `-v` names misses and false alarms.
 * `--leave-one-out` chooses thresholds without each source in turn and uses them on it; it takes some minutes.
 */
const { values: asked, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    labels: { type: "string" },
    preset: { type: "string", default: "balanced" },
    detector: { type: "string" },
    json: { type: "string" },
    check: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    "leave-one-out": { type: "boolean", default: false },
    verbose: { type: "boolean", short: "v", default: false },
  },
});

const corpus = process.env.DOOMLOOP_CORPUS ?? resolve(import.meta.dirname, "../../../shared/corpus");
const folder = positionals[0] ?? corpus;
const names = existsSync(folder) ? readdirSync(folder) : [];
const traces = names.filter((name) => /\.jsonl(?:\.gz)?$/.test(name) && !name.startsWith("labels"));
const labelsPath = asked.labels ?? join(folder, "labels.dev.jsonl");
const fault = findUsageFault();
if (fault !== undefined) {
  console.error(fault);
  process.exitCode = 2;
} else if (traces.length === 0)
  console.log("Skipped: no recorded runs here. Name their folder, or set DOOMLOOP_CORPUS.");
else if (!existsSync(labelsPath))
  console.log("Skipped: no labels.dev.jsonl beside the runs. Name a file with --labels.");
else if (asked["leave-one-out"]) await runLeaveOneOut();
else await run();

function findUsageFault(): string | undefined {
  if (!isPresetName(asked.preset)) return `--preset: there is none named ${asked.preset}`;
  if ((asked.check || asked.write) && asked.preset !== "balanced")
    return "--check and --write: the balanced preset is required";
  const missing = [asked.labels, asked.detector].find((path) => path !== undefined && !existsSync(path));
  return missing === undefined ? undefined : `no such file: ${missing}`;
}

function isPresetName(name: string): boolean {
  try {
    presetOf(name);
    return true;
  } catch {
    return false;
  }
}

async function run(): Promise<void> {
  const start = performance.now();
  const sources = await replaySources(
    traces.map((name) => join(folder, name)),
    {
      preset: asked.preset as PresetName,
      ...(asked.detector === undefined ? {} : { detector: resolve(asked.detector) }),
    },
  );
  const measurement = measure(sources, readLabels(labelsPath));
  console.log(toMarkdown(measurement, asked.preset));
  console.error(`Replayed in ${((performance.now() - start) / 1000).toFixed(0)} s.`);

  const { scored, ...figures } = measurement;
  if (asked.verbose) printErrors(scored);
  if (asked.json !== undefined) writeFileSync(asked.json, `${JSON.stringify(figures, undefined, 2)}\n`);
  if (asked.write) writeFigures(figuresOf(measurement));
  const losses = asked.check ? findLosses(figuresOf(measurement), readFigures()) : [];
  for (const loss of losses) console.error(`worse than committed: ${loss}`);
  const faults = sources.reduce((sum, source) => sum + source.faults, 0);
  const skipped = sources.reduce((sum, source) => sum + source.skipped, 0);
  if (skipped > 0) console.error(`${skipped} lines or events could not be read.`);
  if (faults > 0) console.error(`${faults} faults inside the guard.`);
  process.exitCode = losses.length === 0 && faults === 0 ? 0 : 1;
}

async function runLeaveOneOut(): Promise<void> {
  const variants = thresholdGrid();
  const paths = traces.map((name) => join(folder, name));
  const sources = await replaySources(paths, { preset: "balanced", variants });
  const { windows } = readLabels(labelsPath);
  console.log(leftOutToMarkdown(leaveOneOut(sources, windows, Object.keys(variants), SHIPPED)));
}

function printErrors(scored: readonly ScoredWindow[]): void {
  for (const { window, verdict } of scored) {
    if (verdict === "miss" || verdict === "false alarm")
      console.error(`${verdict}: ${window.run} [${window.from}, ${window.to})`);
  }
}

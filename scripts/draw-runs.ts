import { globSync } from "node:fs";
import { basename } from "node:path";
import type { DetectorKind } from "../packages/doomloop/src/core/detectors/index.ts";
import { presetOf } from "../packages/doomloop/src/core/policy/presets.ts";
import { parseRun } from "../packages/doomloop/src/transcripts/trace/read-trace.ts";
import type { TraceRun } from "../packages/doomloop/src/transcripts/trace/trace-run.ts";
import { drawRun } from "./pictures/draw-run.ts";
import { optionsFileOf, optionTable, readOptions, withTables } from "./pictures/option-table.ts";
import { checkRun, playRun } from "./pictures/play-run.ts";
import { keepFile, readText, report, root } from "./repository.ts";

/**
 * Plays the hand-written runs of the docs through the guard and draws them, and writes the tables of the detectors' options. With `--check`
 * nothing is written: it fails where a picture or a table is not what would be written now, where the guard speaks in a run that is
 * innocent, and where it is silent in a loop.
 */
const faults: string[] = [];
const files = new Map<string, string>();
drawReadme();
for (const file of globSync("docs/detectors/runs/*.jsonl", { cwd: root })) drawDetector(file);
for (const page of globSync("docs/detectors/*.md", { cwd: root })) files.set(page, withTables(readText(page), tableOf));

for (const [path, content] of files) faults.push(...keepFile(path, content, "scripts/draw-runs.ts"));
for (const path of globSync("docs/detectors/runs/*.svg", { cwd: root }))
  if (!files.has(path.replaceAll("\\", "/"))) faults.push(`${path}: no run is drawn there any more`);
report(faults, `${files.size} files`);

function drawReadme(): void {
  const [{ run, task = run, events }] = readRuns("docs/pictures/loop.jsonl") as [TraceRun];
  const caption = "Drawn by scripts/draw-runs.ts from docs/pictures/loop.jsonl by the guard itself.";
  for (const theme of ["light", "dark"] as const) {
    const shared = { title: task, theme, lines: 4, caption };
    files.set(`docs/pictures/loop-${theme}.svg`, drawRun(playRun(events), { ...shared, width: 760 }));
    files.set(`docs/pictures/loop-narrow-${theme}.svg`, drawRun(playRun(events), { ...shared, width: 480 }));
  }
}

function drawDetector(file: string): void {
  for (const { run, task = run, events } of readRuns(file)) {
    const played = playRun(events);
    const fault = checkRun(run, basename(file, ".jsonl"), played);
    if (fault !== undefined) faults.push(fault);
    const path = `docs/detectors/runs/${run.replaceAll("/", "-")}.svg`;
    files.set(path, drawRun(played, { title: task, theme: "both", width: 680, lines: 1 }));
  }
}

function tableOf(kind: string): string {
  const source = optionsFileOf(kind);
  const options = readOptions(readText(`packages/doomloop/src/core/${source}`));
  if (options.length === 0) faults.push(`${kind}: options with doc comments are required in ${source}, got none`);
  const valuesIn = (preset: string) => presetOf(preset).detectors[kind as DetectorKind] || {};
  const presets = ["conservative", "aggressive"].map((preset) => [preset, { ...valuesIn(preset) }]);
  return optionTable(options, Object.fromEntries(presets));
}

/** The runs of a trace, one a line. */
function readRuns(file: string): readonly TraceRun[] {
  const lines = readText(file).split("\n");
  return lines
    .filter((line) => line.trim() !== "")
    .map((line, index) => {
      const run = parseRun(line);
      if (run === undefined) throw new Error(`${file}: a run is required in line ${index + 1}, got something else`);
      return run;
    });
}

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { DetectorKind } from "../packages/doomloop/src/core/detectors/index.ts";
import { presetOf } from "../packages/doomloop/src/core/policy/presets.ts";
import { checkRun } from "./pictures/check-run.ts";
import { drawStrip } from "./pictures/draw-strip.ts";
import { NARROW, PHONE, WIDE } from "./pictures/frame.ts";
import { optionTable, withTables } from "./pictures/option-table.ts";
import { playRun } from "./pictures/play-run.ts";
import { optionsFileOf, readOptions } from "./pictures/read-options.ts";
import { readPalette } from "./pictures/read-palette.ts";
import { readRuns, readRunsByKind } from "./pictures/read-runs.ts";

/**
 * Plays the hand-written runs of the docs through the guard and draws them, and writes the tables of the detectors' options. With `--check`
 * nothing is written: it fails where a picture or a table is not what would be written now, where the guard speaks in a run that is
 * innocent, and where it is silent in a loop.
 */
const root = resolve(import.meta.dirname, "..");
const styles = join(root, "packages/viewer/src/styles");
const palette = readPalette(read(join(styles, "base.css")), read(join(styles, "strip.css")));
const isCheck = process.argv.includes("--check");
const faults: string[] = [];
const files = new Map<string, string>([...drawReadme(), ...drawDetectors(), ...writeTables()]);

for (const [path, content] of files) {
  const file = join(root, path);
  if (existsSync(file) && read(file) === content) continue;
  if (isCheck) faults.push(`${path}: is not what \`node scripts/draw-runs.ts\` draws now`);
  else writeFileSync(file, content);
}
for (const name of readdirSync(join(root, "docs/detectors/runs"))) {
  const path = `docs/detectors/runs/${name}`;
  if (name.endsWith(".svg") && !files.has(path)) faults.push(`${path}: no run is drawn there any more`);
}
for (const fault of faults) console.log(fault);
console.log(`${files.size} files, ${faults.length} at fault`);
process.exitCode = faults.length === 0 ? 0 : 1;

function drawReadme(): [string, string][] {
  const [run] = readRuns(join(root, "docs/pictures/loop.jsonl"));
  if (run === undefined) throw new Error("docs/pictures/loop.jsonl: a run is required, got none");
  const played = playRun(run.events);
  const caption = "Drawn by scripts/draw-runs.ts from docs/pictures/loop.jsonl by the guard itself.";
  const shared = { title: run.task ?? run.run, palette, lines: 4, caption };
  return (["light", "dark"] as const).flatMap((theme) => [
    [`docs/pictures/loop-${theme}.svg`, drawStrip(played, { ...shared, theme, frame: WIDE })],
    [`docs/pictures/loop-narrow-${theme}.svg`, drawStrip(played, { ...shared, theme, frame: PHONE })],
  ]);
}

function drawDetectors(): [string, string][] {
  const drawn: [string, string][] = [];
  for (const [kind, runs] of readRunsByKind(join(root, "docs/detectors/runs"))) {
    for (const { run, task = run, events } of runs) {
      const played = playRun(events);
      const fault = checkRun(run, kind, played);
      if (fault !== undefined) faults.push(fault);
      const path = `docs/detectors/runs/${run.replaceAll("/", "-")}.svg`;
      drawn.push([path, drawStrip(played, { title: task, palette, theme: "both", frame: NARROW, lines: 1 })]);
    }
  }
  return drawn;
}

function writeTables(): [string, string][] {
  const pages = readdirSync(join(root, "docs/detectors")).filter((name) => name.endsWith(".md"));
  return pages.sort().map((name) => {
    const path = `docs/detectors/${name}`;
    return [path, withTables(read(join(root, path)), tableOf)];
  });
}

function tableOf(kind: string): string {
  const source = optionsFileOf(kind);
  const options = readOptions(read(join(root, "packages/doomloop/src/core", source)));
  if (options.length === 0) faults.push(`${kind}: options with doc comments are required in ${source}, got none`);
  const valuesIn = (preset: string) => presetOf(preset).detectors[kind as DetectorKind] || {};
  const presets = ["conservative", "aggressive"].map((preset) => [preset, { ...valuesIn(preset) }]);
  return optionTable(options, Object.fromEntries(presets));
}

function read(file: string): string {
  return readFileSync(file, "utf8");
}

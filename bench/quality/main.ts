import { readFileSync, writeFileSync } from "node:fs";
import { measureSteadiness } from "../steadiness/measure-steadiness.ts";
import { type Asked, readCommandLine } from "./command-line.ts";
import { figuresOf, findAbsent, findLosses, readFigures, writeFigures } from "./committed-figures.ts";
import { type Data, findData } from "./find-data.ts";
import { holdGoals } from "./hold-goals.ts";
import type { Instrument } from "./instruments/instrument.ts";
import { loadGuard } from "./load-guard.ts";
import { measureAll } from "./measure-all.ts";
import { measureLive } from "./measure-live.ts";
import { classesToMarkdown } from "./report/classes-to-markdown.ts";
import { goalsToMarkdown } from "./report/goals-to-markdown.ts";
import { instrumentsToMarkdown } from "./report/instruments-to-markdown.ts";
import { nameErrors } from "./report/name-errors.ts";
import { recordedToMarkdown } from "./report/recorded-to-markdown.ts";
import { steadinessToMarkdown } from "./report/steadiness-to-markdown.ts";

/**
 * How well loops are found, and how often honest work is disturbed. Prints tables.
 *
 * `main.ts [FOLDER] [--labels FILE] [--preset NAME] [--detector FILE] [--json FILE] [--check] [--write] [--steadiness [--requests FILE]] [-v]`.
 * The folder holds traces, one file a source. `--detector` names a module that exports `detect(run): number[]`, the
 * calls at which it speaks; it is put beside ours. `--check` shows the goals, and fails if a figure is worse than the
 * committed one by more than the tolerance; `--write` commits the figures to `figures.json`; `-v` goes class by class
 * and names every error. `--steadiness` plays the same runs in other words and by other hosts, and nothing else; `--requests` takes the words from a
 * JSON list of real requests.
 */
const asked = readOrExplain();
if (asked === undefined) process.exitCode = 2;
else if (asked.steadiness) {
  const requests = asked.requests === undefined ? [] : (JSON.parse(readFileSync(asked.requests, "utf8")) as string[]);
  console.log(steadinessToMarkdown(measureSteadiness(await loadGuard({ preset: asked.preset }), requests)));
} else {
  const data = findData(asked, process.env);
  for (const notice of data.notices) console.log(notice);
  process.exitCode = await run(asked, data);
}

function readOrExplain(): Asked | undefined {
  try {
    return readCommandLine(process.argv.slice(2));
  } catch (fault) {
    console.error((fault as Error).message);
    return undefined;
  }
}

async function run(asked: Asked, data: Data): Promise<number> {
  const start = performance.now();
  const { sources, measurement, later, instruments: replayed } = await measureAll(asked, data);
  const instruments = [...replayed, ...(await measureLive(data.traces.everyday, { preset: asked.preset }))];

  console.log(`Preset ${asked.preset}.\n\n${instrumentsToMarkdown(instruments)}`);
  if (measurement !== undefined) console.log(`\n${recordedToMarkdown(measurement)}`);
  if (asked.verbose) {
    console.log(`\n${classesToMarkdown(sources)}`);
    for (const line of nameErrors(sources, [...(measurement?.scored ?? []), ...(later?.all.scored ?? [])]))
      console.error(line);
  }
  console.error(`Replayed in ${((performance.now() - start) / 1000).toFixed(0)} s.`);

  if (asked.json !== undefined) {
    const { scored: _, ...details } = measurement ?? {};
    writeFileSync(asked.json, `${JSON.stringify({ instruments, ...details }, undefined, 2)}\n`);
  }
  if (asked.write) writeFigures(figuresOf(instruments));
  const isHeld = !asked.check || check(instruments);
  const faults = sources.reduce((sum, source) => sum + source.faults, 0);
  const skipped = sources.reduce((sum, source) => sum + source.skipped, 0);
  if (skipped > 0) console.error(`${skipped} lines or events could not be read.`);
  if (faults > 0) console.error(`${faults} faults inside the guard.`);
  return isHeld && faults === 0 ? 0 : 1;
}

function check(instruments: readonly Instrument[]): boolean {
  const committed = readFigures();
  const losses = findLosses(instruments, committed);
  console.log(`\n${goalsToMarkdown(holdGoals(instruments))}`);
  for (const name of findAbsent(instruments, committed)) console.log(`Not held here, for want of data: ${name}.`);
  for (const loss of losses) console.error(`worse than committed: ${loss}`);
  return losses.length === 0;
}

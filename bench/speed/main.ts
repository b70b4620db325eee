import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chooseClock } from "./clock.ts";
import { entrySizes } from "./entry-sizes.ts";
import { coldStart } from "./goals/cold-start.ts";
import { largeResult } from "./goals/large-result.ts";
import { longRun } from "./goals/long-run.ts";
import { memory } from "./goals/memory.ts";
import { newlines } from "./goals/newlines.ts";
import { steps } from "./goals/steps.ts";
import { streamedText } from "./goals/streamed-text.ts";
import { createReport, isTolerable, TOLERANCE, toMarkdown } from "./report.ts";
import { sampleRuns } from "./sample-runs.ts";

/**
 * How long a decision takes, and the first one of a process, with how much code each import path brings. Prints tables. Needs a build.
 *
 * `--check` fails if a goal is missed by more than the tolerance; `--write` keeps the numbers in `results.json`.
 */
const { values: asked } = parseArgs({ options: { check: { type: "boolean" }, write: { type: "boolean" } } });

const clock = chooseClock();
const sample = await sampleRuns();
if (sample.origin === "generated runs")
  console.error("No recorded runs here (DOOMLOOP_CORPUS): generated ones are used.");

const goals = [steps(sample), longRun, streamedText, newlines, largeResult, memory, coldStart].map((bench) =>
  bench(clock),
);
const report = createReport(clock, goals, entrySizes());
console.log(toMarkdown(report));

if (asked.write) {
  writeFileSync(join(import.meta.dirname, "results.json"), `${JSON.stringify(report, undefined, 2)}\n`);
}
if (asked.check) {
  const missed = goals.filter((goal) => !isTolerable(goal));
  for (const { what } of missed) console.error(`missed by more than ${TOLERANCE * 100} %: ${what}`);
  process.exitCode = missed.length === 0 ? 0 : 1;
}

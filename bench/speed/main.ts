import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureAgainst } from "./against.ts";
import { coldStart, memory } from "./goals/process.ts";
import { largeResult, longRun, steps } from "./goals/steps.ts";
import { newlines, streamedText } from "./goals/text.ts";
import { chooseClock } from "./measure.ts";
import { createReport, entrySizes, isTolerable, type Report, sizesTable, TOLERANCE, toMarkdown } from "./report.ts";
import { sampleRuns } from "./sample-runs.ts";

/**
 * Measures how long decisions take, how long the first one of a process takes, and how much code each import path loads. Prints tables. Needs a build.
 *
 * `--check` fails if a goal is missed by more than the tolerance; `--write` saves the numbers in `results.json`. With `--sizes`, only the code is
 * measured, which is the same on any machine, and the times that were saved stay. `--against COMMIT` needs no build, and only compares our guard with
 * that of a commit.
 */
const results = join(import.meta.dirname, "results.json");
const flag = { type: "boolean" } as const;
const { values: asked } = parseArgs({
  options: { check: flag, write: flag, sizes: flag, against: { type: "string" } },
});
if (asked.against === undefined) await measureGoals();
else console.log(await measureAgainst(asked.against, chooseClock(), await sampleRuns()));

async function measureGoals(): Promise<void> {
  const report = asked.sizes ? withSizes() : await measure();
  console.log(asked.sizes ? sizesTable(report) : toMarkdown(report));
  if (asked.write) writeFileSync(results, `${JSON.stringify(report, undefined, 2)}\n`);
  if (asked.check) {
    const missed = report.goals.filter((goal) => !isTolerable(goal));
    for (const { what } of missed) console.error(`missed by more than ${TOLERANCE * 100} %: ${what}`);
    process.exitCode = missed.length === 0 ? 0 : 1;
  }
}

function withSizes(): Report {
  return { ...(JSON.parse(readFileSync(results, "utf8")) as Report), sizes: entrySizes() };
}

async function measure(): Promise<Report> {
  const clock = chooseClock();
  const sample = await sampleRuns();
  if (sample.origin === "generated runs")
    console.error("No recorded runs here (DOOMLOOP_CORPUS): generated ones are used.");
  const goals = [steps(sample), longRun, streamedText, newlines, largeResult, memory, coldStart].map((bench) =>
    bench(clock),
  );
  return createReport(clock, goals, entrySizes());
}

import type { Asked } from "../command-line.ts";
import type { Data } from "../find-data.ts";
import { type Measured, measureAll } from "../measure-all.ts";
import { earningsToMarkdown, figuresToMarkdown, mechanismsToMarkdown } from "../report/without-to-markdown.ts";
import { compareFigures } from "./compare-figures.ts";
import { compareRuns } from "./compare-runs.ts";
import type { Earning } from "./earning.ts";
import { linesOf } from "./lines-of.ts";
import type { Mechanism } from "./mechanisms.ts";
import { mechanismsOf } from "./mechanisms-of.ts";
import type { Replacement } from "./replace-functions.ts";

/** Prints what mechanisms earn: those that were named, all at once; or each of them, one after the other. */
export async function runWithout(asked: Asked, data: Data): Promise<number> {
  const named = mechanismsOf(asked.without);
  if (asked.without[0] === "list") {
    console.log(mechanismsToMarkdown(named));
    return 0;
  }
  const start = performance.now();
  const isEach = asked.without[0] === "each";
  const trials = isEach ? named.map((each) => [each]) : [named];
  const measureWithout = (trial: readonly Mechanism[]): Promise<Measured> =>
    measureAll(asked, data, {
      order: { options: optionsWithout(trial), isAlone: true, isQuick: isEach },
      replacements: replacementsFor(trial),
    });
  const base = await measureWithout([]);
  const earnings: Earning[] = [];
  for (const [at, trial] of trials.entries()) {
    const earning = earningOf(trial, base, await measureWithout(trial));
    earnings.push(earning);
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    console.error(`${at + 1} of ${trials.length}: without ${earning.name} (${seconds} s)`);
    if (earning.faults > 0) console.error(`${earning.faults} faults inside the guard without ${earning.name}.`);
  }
  console.log(`Preset ${asked.preset}.\n`);
  console.log(isEach ? earningsToMarkdown(base.instruments, earnings) : figuresToMarkdown(earnings[0]!));
  return earnings.every(({ faults }) => faults === 0) ? 0 : 1;
}

function optionsWithout(trial: readonly Mechanism[]): NonNullable<Mechanism["options"]> {
  const all = trial.map(({ options = {} }) => options);
  return {
    ...Object.assign({}, ...all),
    detectors: Object.assign({}, ...all.map(({ detectors }) => detectors)),
    progress: Object.assign({}, ...all.map(({ progress }) => progress)),
  };
}

function replacementsFor(trial: readonly Mechanism[]): Replacement[] {
  return trial.flatMap(({ replaced = {} }) =>
    Object.entries(replaced).map(([place, by]) => {
      const [file = "", name = ""] = place.split("#");
      return { file, name, by };
    }),
  );
}

function earningOf(trial: readonly Mechanism[], base: Measured, { sources, instruments }: Measured): Earning {
  return {
    name: trial.map(({ name }) => name).join(" and "),
    lines: trial.reduce((sum, each) => sum + linesOf(each), 0),
    instruments,
    runs: compareRuns(base.sources, sources),
    figures: compareFigures(base.instruments, instruments),
    faults: sources.reduce((sum, { faults }) => sum + faults, 0),
  };
}

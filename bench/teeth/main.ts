import { parseArgs } from "node:util";
import { type GuardChoice, loadGuard } from "../quality/load-guard.ts";
import { toTable } from "../quality/report/table.ts";
import { type Bite, BY, biteOf, CLEAR_BY, isInTime, plainLoops, type Setting, settings } from "./measure-teeth.ts";

/**
 * When plain loops are told, refused and ended. The agent ignores everything.
 *
 * `main.ts [--guard MODULE] [--preset NAME] [-v]`. Prints every loop of the usual agent, and how many are in time with each kind of host;
 * `-v` names those that are not.
 */
const { values: asked } = parseArgs({
  options: {
    guard: { type: "string" },
    preset: { type: "string" },
    verbose: { type: "boolean", short: "v", default: false },
  },
});
const createGuard = await loadGuard(asked as GuardChoice);
const bitten = settings.map((setting) => ({
  setting,
  bites: plainLoops.map((loop) => biteOf(loop, setting, createGuard)),
}));

const usual = bitten.find(({ setting }) => setting.name === "usual")!;
console.log(
  toTable(["loop, usual agent", "", "told", "refused", "ended", "in time"], usual.bites.map(loopRow), 2).join("\n"),
);
const head = ["host", "loops", "told", "refused", "ended", "in time", "clear ones", "in time"];
console.log(`\n${toTable(head, bitten.map(settingRow)).join("\n")}`);
console.log(
  `\nIn time: refused by ${BY.refused}, ended by ${BY.ended}; clear ones by ${CLEAR_BY.refused}, ${CLEAR_BY.ended}.`,
);
if (asked.verbose) for (const each of bitten) nameLate(each);

function loopRow(bite: Bite, at: number): string[] {
  const loop = plainLoops[at]!;
  const kind = loop.isClear ? "clear" : loop.isWayOut ? "way out" : "";
  return [loop.name, kind, ...cellsOf(bite), isInTime(loop, bite, loop.isClear ? CLEAR_BY : BY) ? "yes" : "no"];
}

function cellsOf({ told, refused, ended }: Bite): string[] {
  return [told, refused, ended].map((repeat) => `${repeat ?? "-"}`);
}

function settingRow({ setting, bites }: { setting: Setting; bites: readonly Bite[] }): string[] {
  const count = (holds: (bite: Bite, at: number) => boolean): string => `${bites.filter(holds).length}`;
  return [
    setting.name,
    `${bites.length}`,
    count(({ told }) => told !== undefined),
    count(({ refused }) => refused !== undefined),
    count(({ ended }) => ended !== undefined),
    count((bite, at) => isInTime(plainLoops[at]!, bite, BY)),
    count((_, at) => plainLoops[at]!.isClear === true),
    count((bite, at) => plainLoops[at]!.isClear === true && isInTime(plainLoops[at]!, bite, CLEAR_BY)),
  ];
}

function nameLate({ setting, bites }: { setting: Setting; bites: readonly Bite[] }): void {
  for (const [at, bite] of bites.entries()) {
    const loop = plainLoops[at]!;
    if (isInTime(loop, bite, loop.isClear ? CLEAR_BY : BY)) continue;
    const [told, refused, ended] = cellsOf(bite);
    console.log(`${setting.name}: ${loop.name}: told ${told}, refused ${refused}, ended ${ended}`);
  }
}

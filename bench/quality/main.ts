import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { PresetName } from "../../packages/doomloop/src/index.ts";
import { type Data, findData } from "./data.ts";
import { findAbsent, findLosses, holdGoals, readFigures, writeFigures } from "./figures.ts";
import { loadGuard } from "./guard.ts";
import { type Instrument, twinsInstrument } from "./instruments.ts";
import { measureAll } from "./measure.ts";
import { measureQuickly } from "./quick.ts";
import { printReactions } from "./reactions.ts";
import { goalsToMarkdown, instrumentsToMarkdown, recordedToMarkdown, steadinessToMarkdown } from "./report.ts";
import { measureSteadiness } from "./steadiness.ts";
import { printTeeth } from "./teeth.ts";
import { tellTwins, twinsToMarkdown } from "./twins.ts";

const HELP = `How well loops are found, and how often healthy work is disturbed: npm run bench quality [-- OPTIONS]

  [FOLDER] [--labels FILE]  recorded runs and labels of your own
  --detector FILE           a module that exports detect(run): number[], the calls at which it speaks, beside ours
  --check                   shows the goals, and fails if a figure is worse than the committed one by more than the tolerance
  --write                   commits the figures to figures.json
  --json FILE               writes all figures

One part alone:

  --quick       the main figures in seconds: everyday runs by halves, windows, successes, sessions
                [--only everyday|windows|corpus2|successes|sessions] [--set NAME] [--all] [--variant NAME] [-v, with every error]
  --teeth       when plain loops are told, refused and ended; the agent ignores everything [-v]
  --reactions   what a refusal costs a healthy agent, and whether an agent that is stuck is ended [-v]
  --steadiness  the same runs in other words and by other hosts [--requests FILE, a JSON list of real requests]
  --twins       loops that are hard to tell from honest work, each beside three honest twins [--check]

  --guard MODULE, --preset NAME   another guard, another preset
  --half tune|aside|all           whose errors -v names: what you look at, you no longer measure with
`;

const flag = { type: "boolean", default: false } as const;
const text = { type: "string" } as const;
const { values: asked, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...{
      check: flag,
      write: flag,
      quick: flag,
      teeth: flag,
      reactions: flag,
      steadiness: flag,
      twins: flag,
      all: flag,
      help: flag,
    },
    ...{
      labels: text,
      preset: text,
      guard: text,
      detector: text,
      json: text,
      requests: text,
      set: text,
      variant: text,
    },
    only: { type: "string", multiple: true, default: [] },
    half: { type: "string", default: "tune" },
    verbose: { type: "boolean", short: "v", default: false },
  },
});
const preset = asked.preset as PresetName | undefined;
const choice = { guard: asked.guard, preset };
const data = findData({ folder: positionals[0], labels: asked.labels }, process.env);

if (asked.help) console.log(HELP);
else if (asked.teeth) printTeeth(await loadGuard(choice), asked.verbose);
else if (asked.reactions) await printReactions(data.traces.everyday, choice, asked.verbose ? asked.half : undefined);
else if (asked.steadiness) {
  const requests = asked.requests === undefined ? [] : (JSON.parse(readFileSync(asked.requests, "utf8")) as string[]);
  console.log(steadinessToMarkdown(measureSteadiness(await loadGuard(choice), requests)));
} else if (asked.twins) {
  const told = tellTwins(await loadGuard(choice));
  const instruments = [twinsInstrument(told)];
  console.log(`${twinsToMarkdown(told)}\n\n${instrumentsToMarkdown(instruments)}`);
  if (asked.check) process.exitCode = isAsCommitted(instruments, readFigures()) ? 0 : 1;
} else {
  for (const notice of data.notices) console.log(notice);
  if (asked.quick) await measureQuickly(data, { ...asked, ...choice });
  else process.exitCode = await measureWhole(data, preset ?? "balanced");
}

async function measureWhole(found: Data, name: PresetName): Promise<number> {
  if ((asked.check || asked.write) && (name !== "balanced" || choice.guard !== undefined))
    throw new Error("--check and --write: our own guard with the balanced preset is required");
  const start = performance.now();
  const { sources, measurement, instruments } = await measureAll(
    { ...choice, preset: name, detector: asked.detector },
    found,
  );

  console.log(`Preset ${name}.\n\n${instrumentsToMarkdown(instruments)}`);
  if (measurement !== undefined) console.log(`\n${recordedToMarkdown(measurement)}`);
  console.error(`Replayed in ${((performance.now() - start) / 1000).toFixed(0)} s.`);

  if (asked.json !== undefined)
    writeFileSync(asked.json, `${JSON.stringify({ instruments, ...measurement }, undefined, 2)}\n`);
  if (asked.write) writeFigures(instruments);
  const isHeld = !asked.check || check(instruments);
  const sum = (field: "skipped" | "faults"): number => sources.reduce((total, source) => total + source[field], 0);
  if (sum("skipped") > 0) console.error(`${sum("skipped")} lines or events could not be read.`);
  if (sum("faults") > 0) console.error(`${sum("faults")} faults inside the guard.`);
  return isHeld && sum("faults") === 0 ? 0 : 1;
}

function check(instruments: readonly Instrument[]): boolean {
  const committed = readFigures();
  console.log(`\n${goalsToMarkdown(holdGoals(instruments))}`);
  for (const name of findAbsent(instruments, committed)) console.log(`Not held here, for want of data: ${name}.`);
  return isAsCommitted(instruments, committed);
}

function isAsCommitted(instruments: readonly Instrument[], committed: ReturnType<typeof readFigures>): boolean {
  const losses = findLosses(instruments, committed);
  for (const loss of losses) console.error(`worse than committed: ${loss}`);
  return losses.length === 0;
}

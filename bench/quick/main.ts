import { statSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { type Data, findData } from "../quality/find-data.ts";
import { readLabels } from "../quality/labels.ts";
import type { GuardChoice } from "../quality/load-guard.ts";
import type { SourceKind } from "../quality/replay-order.ts";
import { scoreWindow } from "../quality/score-windows.ts";
import { type VariantName, variants } from "../quality/variants/variants.ts";
import { askWorkers } from "../quality/worker-pool.ts";
import { everydayErrors, suspectErrors, windowErrors } from "./name-errors.ts";
import type { QuickOrder, QuickRun, QuickSource } from "./quick-run.ts";
import { everydayTable, setOf, suspectTable, type WindowSet, windowsTable } from "./tables.ts";

/** One success of the first recordings in so many, and one real session, unless all are asked for. */
const ONE_IN: Readonly<Record<SourceKind, number>> = { recorded: 10, later: 1, sessions: 4, everyday: 1 };
const PARTS = ["everyday", "windows", "corpus2", "successes", "sessions"] as const;
type Part = (typeof PARTS)[number];

/**
 * A guard's figures in seconds, while you work on it: everyday runs by halves, windows, successes and sessions.
 *
 * `main.ts [--guard MODULE] [--preset NAME] [--only PART] [--set NAME] [--half tune|aside|all] [--variant NAME] [--all] [-v]`. The module exports
 * `createGuard`; without it, our own source is taken. `--all` takes every success and session, not a sample. `--variant` tells
 * the runs as another host would: "tools renamed, answers reworded" shows what hangs on words. `-v` names
 * every run that is wrong, of the half to tune on unless `--half` says otherwise: what you look at, you no longer
 * measure with.
 */
const { values: asked } = parseArgs({
  options: {
    guard: { type: "string" },
    preset: { type: "string" },
    only: { type: "string", multiple: true, default: [] },
    set: { type: "string" },
    half: { type: "string", default: "tune" },
    all: { type: "boolean", default: false },
    variant: { type: "string" },
    verbose: { type: "boolean", short: "v", default: false },
  },
});

const { variant } = asked;
if (variant !== undefined && !isVariant(variant))
  throw new Error(`--variant: one of ${Object.keys(variants).join("; ")} is required, got ${variant}`);

const start = performance.now();
const data = findData({ folder: undefined, labels: undefined }, process.env);
for (const notice of data.notices) console.log(notice);
const isAsked = (part: Part): boolean => asked.only.length === 0 || asked.only.includes(part);
const isAskedFor = ({ half }: QuickRun): boolean => asked.half === "all" || half === asked.half;

const script = new URL("./quick-worker.ts", import.meta.url);
const sources = await askWorkers<QuickOrder, QuickSource>(
  script,
  { guard: asked.guard, preset: asked.preset } as GuardChoice,
  ordersOf(data),
);
report(sources.flatMap(({ runs }) => runs));
const [events, guardMs, faults] = (["events", "guardMs", "faults"] as const).map((field) =>
  sources.reduce((sum, source) => sum + source[field], 0),
);
const seconds = ((performance.now() - start) / 1000).toFixed(0);
console.log(`\n${events} events, ${((1000 * guardMs!) / events!).toFixed(1)} µs each; ${faults} faults; ${seconds} s.`);

function ordersOf({ traces, labels, laterLabels }: Data): QuickOrder[] {
  const labelled = {
    recorded: isAsked("windows") ? runsIn(labels) : [],
    later: isAsked("corpus2") ? runsIn(laterLabels) : [],
    sessions: [],
    everyday: [],
  };
  const needed: Record<SourceKind, boolean> = {
    recorded: isAsked("windows") || isAsked("successes"),
    later: isAsked("corpus2") || isAsked("successes"),
    sessions: isAsked("sessions"),
    everyday: isAsked("everyday"),
  };
  const kinds = (Object.keys(needed) as SourceKind[]).filter((kind) => needed[kind]);
  return kinds
    .flatMap((kind) => traces[kind].map((path) => ({ path, kind })))
    .filter(({ path, kind }) => kind !== "everyday" || asked.set === undefined || nameOf(path) === asked.set)
    .sort((one, other) => statSync(other.path).size - statSync(one.path).size)
    .map(({ path, kind }) => ({ path, kind, labelled: labelled[kind], oneIn: asked.all ? 1 : ONE_IN[kind] }))
    .map((order) => (variant === undefined ? order : { ...order, variant: variant as VariantName }));
}

function isVariant(name: string): name is VariantName {
  return Object.hasOwn(variants, name);
}

function nameOf(path: string): string {
  return setOf(basename(path).replace(/\.jsonl(?:\.gz)?$/, ""));
}

function runsIn(labels: readonly string[]): string[] {
  return readLabels(labels).windows.map(({ run }) => run);
}

function report(runs: readonly QuickRun[]): void {
  const errors: string[] = [];
  const print = (lines: readonly string[]): void => console.log(`\n${lines.join("\n")}`);
  if (isAsked("everyday")) {
    const everyday = runs.filter(({ kind }) => kind === "everyday");
    print(everydayTable(everyday));
    errors.push(...everyday.filter(isAskedFor).flatMap(everydayErrors).sort());
  }
  const sets = windowSets(runs);
  if (sets.length > 0) print(windowsTable(sets));
  for (const set of sets) errors.push(...windowErrors(set, isAskedFor));
  const groups = groupsOf(runs);
  if (Object.keys(groups).length > 0) print(suspectTable(groups));
  for (const [name, own] of Object.entries(groups)) errors.push(...suspectErrors(name, own.filter(isAskedFor)));
  if (asked.verbose) print(errors);
}

function windowSets(runs: readonly QuickRun[]): WindowSet[] {
  const byName = new Map(runs.map((run) => [run.run, run]));
  const setFrom = (name: string, paths: readonly string[], strata?: string): WindowSet => ({
    name,
    windows: readLabels(paths)
      .windows.filter(({ stratum }) => strata === undefined || strata.includes(stratum!))
      .flatMap((window) => {
        const run = byName.get(window.run);
        if (run === undefined) return [];
        const calls = run.words.map(({ call }) => call).sort((one, other) => one - other);
        return [{ run, scored: scoreWindow(window, calls) }];
      }),
  });
  const [recorded, later] = [isAsked("windows"), isAsked("corpus2")];
  return [
    ...(recorded ? data.labels.map((path) => setFrom(basename(path, ".jsonl").replace("labels.", ""), [path])) : []),
    ...(later ? [setFrom("corpus-2, a + d", data.laterLabels, "ad"), setFrom("corpus-2", data.laterLabels)] : []),
  ].filter(({ windows }) => windows.length > 0);
}

function groupsOf(runs: readonly QuickRun[]): Record<string, QuickRun[]> {
  const sampled = (kind: SourceKind): QuickRun[] => runs.filter((run) => run.kind === kind && run.isSampled);
  /** A run without results is judged by its calls alone: such a source does not count. */
  const shown = sampled("recorded");
  const hasResults = new Set(shown.filter((run) => run.hasResults).map(({ source }) => source));
  return {
    ...(isAsked("successes")
      ? { successes: shown.filter(({ source }) => hasResults.has(source)), "successes, corpus-2": sampled("later") }
      : {}),
    ...(isAsked("sessions") ? { sessions: sampled("sessions") } : {}),
  };
}

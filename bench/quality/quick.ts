import { statSync } from "node:fs";
import { basename } from "node:path";
import { type Data, readLabels, type SourceKind, sourceOf } from "./data.ts";
import { type LoopExpectation, scoreLoop } from "./everyday.ts";
import type { GuardChoice } from "./guard.ts";
import type { QuickOrder, QuickRun, QuickSource } from "./quick-run.ts";
import { toTable } from "./report.ts";
import { type VariantName, variants } from "./variants.ts";
import { type ScoredWindow, scoreWindow, tally } from "./windows.ts";
import { askWorkers } from "./workers.ts";

/** One success of the first recordings in so many, and one real session, unless all are asked for. */
const ONE_IN: Readonly<Record<SourceKind, number>> = { recorded: 10, later: 1, sessions: 4, everyday: 1 };
const HALVES = ["all", "tune", "aside"] as const;
const MAX_WORDS = 6;

export interface QuickOptions extends GuardChoice {
  /** `everyday`, `windows`, `corpus2`, `successes`, `sessions`; all of them if none is named. */
  readonly only: readonly string[];
  /** One everyday set. */
  readonly set?: string | undefined;
  /** Whose errors are named. */
  readonly half: string;
  /** Every success and session, not a sample. */
  readonly all: boolean;
  readonly variant?: string | undefined;
  readonly verbose: boolean;
}

/** Windows of one set of labels, each with its run. */
interface WindowSet {
  readonly name: string;
  readonly windows: readonly { readonly run: QuickRun; readonly scored: ScoredWindow }[];
}

/** A guard's figures in seconds: everyday runs by halves, windows, successes and sessions. */
export async function measureQuickly(data: Data, options: QuickOptions): Promise<void> {
  const { guard, preset, variant } = options;
  if (variant !== undefined && !Object.hasOwn(variants, variant))
    throw new Error(`--variant: one of ${Object.keys(variants).join("; ")} is required, got ${variant}`);
  const start = performance.now();
  const sources = await askWorkers<QuickSource>("replay", { guard, preset }, ordersOf(data, options));
  report(
    data,
    options,
    sources.flatMap(({ runs }) => runs),
  );
  const sum = (field: "events" | "guardMs" | "faults"): number =>
    sources.reduce((total, source) => total + source[field], 0);
  const perEvent = ((1000 * sum("guardMs")) / sum("events")).toFixed(1);
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log(`\n${sum("events")} events, ${perEvent} µs each; ${sum("faults")} faults; ${seconds} s.`);
}

function ordersOf({ traces, labels, laterLabels }: Data, { only, set, all, variant }: QuickOptions): QuickOrder[] {
  const isAsked = (...parts: string[]): boolean => only.length === 0 || parts.some((part) => only.includes(part));
  const runsIn = (paths: readonly string[]): string[] => readLabels(paths).windows.map(({ run }) => run);
  const labelled: Readonly<Record<SourceKind, readonly string[]>> = {
    recorded: isAsked("windows") ? runsIn(labels) : [],
    later: isAsked("corpus2") ? runsIn(laterLabels) : [],
    sessions: [],
    everyday: [],
  };
  const needed: Readonly<Record<SourceKind, boolean>> = {
    recorded: isAsked("windows", "successes"),
    later: isAsked("corpus2", "successes"),
    sessions: isAsked("sessions"),
    everyday: isAsked("everyday"),
  };
  const kinds = (Object.keys(needed) as SourceKind[]).filter((kind) => needed[kind]);
  return kinds
    .flatMap((kind) => traces[kind].map((path) => ({ path, kind })))
    .filter(({ path, kind }) => kind !== "everyday" || set === undefined || setOf(sourceOf(path)) === set)
    .sort((one, other) => statSync(other.path).size - statSync(one.path).size)
    .map(({ path, kind }): QuickOrder => {
      const oneIn = all ? 1 : ONE_IN[kind];
      return { path, kind, labelled: labelled[kind], oneIn, variant: variant as VariantName | undefined };
    });
}

function report(data: Data, { only, half, verbose }: QuickOptions, runs: readonly QuickRun[]): void {
  const errors: string[] = [];
  const isAsked = (part: string): boolean => only.length === 0 || only.includes(part);
  const isAskedFor = (run: QuickRun): boolean => half === "all" || run.half === half;
  if (isAsked("everyday")) {
    const everyday = runs.filter(({ kind }) => kind === "everyday");
    console.log(`\n${everydayTable(everyday)}`);
    errors.push(...everyday.filter(isAskedFor).flatMap(everydayErrors).sort());
  }
  const sets = [
    ...(isAsked("windows") ? windowSets(data.labels, runs) : []),
    ...(isAsked("corpus2") ? [windowSet("corpus-2, a + d", data.laterLabels, runs, "ad")] : []),
    ...(isAsked("corpus2") ? [windowSet("corpus-2", data.laterLabels, runs)] : []),
  ].filter(({ windows }) => windows.length > 0);
  if (sets.length > 0) console.log(`\n${windowsTable(sets)}`);
  for (const set of sets) errors.push(...windowErrors(set, isAskedFor));
  const groups = suspects(runs, isAsked);
  if (Object.keys(groups).length > 0) console.log(`\n${suspectTable(groups)}`);
  for (const [name, own] of Object.entries(groups))
    for (const { run, words } of own.filter(isAskedFor))
      if (words.length > 0) errors.push(`${name} FALSE ${run} ${told(words)}`);
  if (verbose) console.log(`\n${errors.join("\n")}`);
}

/** The windows of each file of labels. */
export function windowSets(labels: readonly string[], runs: readonly QuickRun[]): WindowSet[] {
  return labels.map((path) => windowSet(sourceOf(basename(path)).replace("labels.", ""), [path], runs));
}

function windowSet(name: string, labels: readonly string[], runs: readonly QuickRun[], strata?: string): WindowSet {
  const byName = new Map(runs.map((run) => [run.run, run]));
  const windows = readLabels(labels).windows.flatMap((window) => {
    const run = byName.get(window.run);
    if (run === undefined || (strata !== undefined && !strata.includes(window.stratum!))) return [];
    const calls = run.words.map(({ call }) => call).sort((one, other) => one - other);
    return [{ run, scored: scoreWindow(window, calls) }];
  });
  return { name, windows };
}

/** Runs in which every word is suspect. A run without results is judged by its calls alone: such a source does not count. */
function suspects(runs: readonly QuickRun[], isAsked: (part: string) => boolean): Record<string, QuickRun[]> {
  const sampled = (kind: SourceKind): QuickRun[] => runs.filter((run) => run.kind === kind && run.isSampled);
  const shown = sampled("recorded");
  const hasResults = new Set(shown.filter((run) => run.hasResults).map(({ source }) => source));
  const successes = shown.filter(({ source }) => hasResults.has(source));
  return {
    ...(isAsked("successes") ? { successes, "successes, corpus-2": sampled("later") } : {}),
    ...(isAsked("sessions") ? { sessions: sampled("sessions") } : {}),
  };
}

/** `innocent.jsonl` and `loops.jsonl` are set 1, `innocent-2.jsonl` is of set 2, `slow-8.jsonl` has the slow loops. */
export function setOf(source: string): string {
  const number = /-(\w+)$/.exec(source)?.[1] ?? "1";
  return source.startsWith("slow") ? `slow ${number}` : number;
}

/** Rows for each set and for all sets, whole and by halves. */
export function everydayTable(runs: readonly QuickRun[]): string {
  const sets = [...new Set(runs.map(({ source }) => setOf(source)))].sort();
  const rows = [...sets, "all"].flatMap((set) =>
    HALVES.flatMap((half) => {
      const own = runs.filter((run) => isIn(half, run.half) && isIn(set, setOf(run.source)));
      return own.length === 0 ? [] : [[set, half, ...honestCells(own), ...loopCells(own)]];
    }),
  );
  const head = ["honest", "told %", "refused %", "ended %", "loops", "in time %", "late %", "missed %", "early %"];
  return toTable(["everyday set", "half", ...head], rows, 2);
}

/** Slow loops are no part of all: hardly anybody finds them. */
function isIn(part: string, own: string): boolean {
  return part === own || (part === "all" && !own.startsWith("slow"));
}

function honestCells(runs: readonly QuickRun[]): string[] {
  const honest = runs.filter(({ expectation }) => expectation!.expect !== "spoken");
  const silent = honest.filter(({ expectation }) => expectation!.expect === "silent");
  return [
    `${honest.length}`,
    inPercent(silent, ({ words }) => words.length > 0),
    inPercent(honest, ({ isBlocked }) => isBlocked),
    inPercent(honest, ({ isStopped }) => isStopped),
  ];
}

function loopCells(runs: readonly QuickRun[]): string[] {
  const scores = runs.flatMap(({ expectation, words }) =>
    expectation!.expect === "spoken" ? [scoreOf(expectation as LoopExpectation, words)] : [],
  );
  const verdicts = (["found", "late", "missed"] as const).map((name) =>
    inPercent(scores, ({ verdict }) => verdict === name),
  );
  return [`${scores.length}`, ...verdicts, inPercent(scores, ({ isEarly }) => isEarly)];
}

function scoreOf(expectation: LoopExpectation, words: QuickRun["words"]): ReturnType<typeof scoreLoop> {
  const calls = words.map(({ call }) => call);
  return scoreLoop(expectation, calls);
}

/** Rows for each set of windows, whole and by halves. */
export function windowsTable(sets: readonly WindowSet[]): string {
  const rows = sets.flatMap(({ name, windows }) =>
    HALVES.map((half) => {
      const own = windows.filter(({ run }) => isIn(half, run.half));
      const { precision, recall, f1, hits, misses, falseAlarms } = tally(own.map(({ scored }) => scored));
      const ratios = [precision, recall, f1].map((ratio) => ratio.toFixed(3));
      return [name, half, `${own.length}`, ...ratios, `${hits}`, `${misses}`, `${falseAlarms}`];
    }),
  );
  return toTable(["windows of", "half", "windows", "P", "R", "F1", "hits", "misses", "false alarms"], rows, 2);
}

function suspectTable(groups: Readonly<Record<string, readonly QuickRun[]>>): string {
  const rows = Object.entries(groups).map(([name, runs]) => {
    const counts = [
      runs.filter(({ words }) => words.length > 0),
      runs.filter(({ isBlocked }) => isBlocked),
      runs.filter(({ isStopped }) => isStopped),
    ].map(({ length }) => `${length} (${((100 * length) / Math.max(1, runs.length)).toFixed(1)}%)`);
    return [name, `${runs.length}`, ...counts];
  });
  return toTable(["runs", "number", "told", "refused", "ended"], rows);
}

function inPercent<Item>(items: readonly Item[], holds: (item: Item) => boolean): string {
  return items.length === 0 ? "" : ((100 * items.filter(holds).length) / items.length).toFixed(1);
}

/** What is wrong about an everyday run, a line each. */
function everydayErrors({ run, source, expectation, words, isBlocked }: QuickRun): string[] {
  if (expectation?.expect !== "spoken") {
    const isWrong = expectation?.expect === "silent" ? words.length > 0 : isBlocked;
    return isWrong ? [`${source} FALSE ${run} ${told(words)}`] : [];
  }
  const { verdict, isEarly } = scoreOf(expectation, words);
  const line = `${run} from ${expectation.from} by ${expectation.by} got ${told(words)}`;
  return [
    ...(verdict === "found" ? [] : [`${source} ${verdict.toUpperCase()} ${line}`]),
    ...(isEarly ? [`${source} EARLY ${line}`] : []),
  ];
}

function windowErrors({ name, windows }: WindowSet, isAskedFor: (run: QuickRun) => boolean): string[] {
  return windows.flatMap(({ run, scored: { window, verdict } }) => {
    if (!isAskedFor(run) || verdict === "hit" || verdict === "quiet") return [];
    const { from, to, onset, end, isLoop } = window;
    const loop = isLoop ? ` loop ${onset} to ${end}` : "";
    return [`${name} ${verdict.toUpperCase()} ${run.run} [${from}, ${to})${loop} got ${told(run.words)}`];
  });
}

function told(words: QuickRun["words"]): string {
  const shown = words.slice(0, MAX_WORDS).map(({ action, call, kind }) => `${action}@${call}:${kind}`);
  return shown.join(" ") || "nothing";
}

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { PresetName } from "../../packages/doomloop/src/index.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const LABELS = ["labels.dev.jsonl", "labels.dev2.jsonl"];
const TRACE = /\.jsonl(?:\.gz)?$/;

/** What kind of runs a source has, which decides what is asked of them. Those that were recorded later were drawn when the guard was built. */
export type SourceKind = "recorded" | "later" | "sessions" | "everyday";

/** What there is to measure on. */
export interface Data {
  /** Trace files, by the kind of runs in them. */
  readonly traces: Readonly<Record<SourceKind, readonly string[]>>;
  /** Files of labels for the recorded runs, and for those that were recorded later. */
  readonly labels: readonly string[];
  readonly laterLabels: readonly string[];
  /** What is absent, in words. */
  readonly notices: readonly string[];
}

/** What to replay, and through what. */
export interface ReplayOrder {
  /** A trace file: one source. */
  readonly path: string;
  readonly kind: SourceKind;
  readonly preset: PresetName;
  /** A module with somebody else's detector. */
  readonly detector?: string;
}

/** Whether the runs are somebody else's, with labels that are about them as they were recorded. */
export function isRecorded(kind: SourceKind): boolean {
  return kind === "recorded" || kind === "later";
}

/** A source is named as its file is. */
export function sourceOf(path: string): string {
  return basename(path).replace(TRACE, "");
}

/**
 * Looks for recorded runs in a folder that was named, else in `DOOMLOOP_CORPUS`, else beside the repository; for real
 * sessions in `DOOMLOOP_SESSIONS`, and for runs that were recorded later in `DOOMLOOP_CORPUS_2`, else beside the recorded runs. Everyday runs are our own and always here;
 * `DOOMLOOP_EVERYDAY` names others.
 */
export function findData(
  { folder, labels }: { readonly folder?: string | undefined; readonly labels?: string | undefined },
  environment: Readonly<Record<string, string | undefined>>,
): Data {
  const folderOf = (name: string, otherwise: string): string => environment[`DOOMLOOP_${name}`] ?? otherwise;
  const recorded = folder ?? folderOf("CORPUS", resolve(ROOT, "../shared/corpus"));
  const beside = dirname(resolve(recorded));
  const later = folderOf("CORPUS_2", join(beside, "corpus-2"));
  const data = {
    traces: {
      recorded: tracesIn(recorded),
      later: tracesIn(later),
      sessions: tracesIn(folderOf("SESSIONS", join(beside, "corpus-coding"))),
      everyday: tracesIn(folderOf("EVERYDAY", join(ROOT, "bench/everyday"))),
    },
    labels: labels === undefined ? labelsIn(recorded) : [labels],
    laterLabels: labelsIn(later),
  };
  return { ...data, notices: noticesOf(data) };
}

function noticesOf({ traces, labels }: Omit<Data, "notices">): string[] {
  const hasNoLabels = traces.recorded.length > 0 && labels.length === 0;
  return [
    ...(traces.recorded.length === 0 ? ["no recorded runs here. Name their folder, or set DOOMLOOP_CORPUS."] : []),
    ...(hasNoLabels ? [`no ${LABELS[0]} beside the recorded runs. Name a file with --labels.`] : []),
    ...(traces.sessions.length === 0 ? ["no real sessions here. Set DOOMLOOP_SESSIONS."] : []),
    ...(traces.later.length === 0 ? ["no later recordings here. Set DOOMLOOP_CORPUS_2."] : []),
    ...(traces.everyday.length === 0 ? ["no everyday runs in DOOMLOOP_EVERYDAY."] : []),
  ].map((notice) => `Skipped: ${notice}`);
}

function tracesIn(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => TRACE.test(name) && !name.startsWith("labels")).map((name) => join(folder, name));
}

function labelsIn(folder: string): string[] {
  return LABELS.map((name) => join(folder, name)).filter((path) => existsSync(path));
}

/** A stretch of a run that somebody judged. */
export interface LabelledWindow {
  readonly run: string;
  /** The first call in it, and the first after it. */
  readonly from: number;
  readonly to: number;
  /** Whether the agent went in circles there. */
  readonly isLoop: boolean;
  /** A decision from here, */
  readonly onset: number;
  /** to the call after this one, is a hit. */
  readonly end: number;
  /** The call before which a careful supervisor would have stepped in. */
  readonly interrupt?: number;
  /** How the window was drawn: `a` and `d` without regard to our guard. */
  readonly stratum?: string;
}

export interface Labels {
  readonly windows: readonly LabelledWindow[];
  /** Windows on which the judges differ: not scored. */
  readonly disputed: number;
}

interface LabelLine {
  readonly run: string;
  readonly window: readonly [number, number];
  readonly verdict: string;
  readonly onset?: number | null;
  readonly end?: number | null;
  readonly interrupt?: number | null;
  readonly stratum?: string;
}

/** Reads files of labels: JSON Lines, one window a line. Throws for a line that is none. */
export function readLabels(paths: readonly string[]): Labels {
  const all = paths.flatMap((path) => parseLabels(readFileSync(path, "utf8")));
  const scored = all.filter(({ verdict }) => verdict !== "disputed");
  return { windows: scored.map(windowOf), disputed: all.length - scored.length };
}

function parseLabels(text: string): LabelLine[] {
  return text.split("\n").flatMap((line, at) => {
    if (line.trim() === "") return [];
    const label = JSON.parse(line) as Partial<LabelLine> | null;
    const isLabel =
      typeof label?.run === "string" && typeof label.verdict === "string" && label.window?.every(Number.isInteger);
    if (!isLabel || label.window?.length !== 2)
      throw new Error(`labels, line ${at + 1}: run, window and verdict are required`);
    return label as LabelLine;
  });
}

function windowOf({ run, window: [from, to], verdict, onset, end, interrupt, stratum }: LabelLine): LabelledWindow {
  return {
    ...{ run, from, to, isLoop: verdict === "loop" || verdict === "stalled", onset: onset ?? from, end: end ?? to - 1 },
    ...(typeof interrupt === "number" ? { interrupt } : {}),
    ...(stratum === undefined ? {} : { stratum }),
  };
}

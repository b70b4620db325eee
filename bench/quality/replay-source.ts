import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { replayRun } from "../../packages/doomloop/src/cli/replay/replay-run.ts";
import type { GuardOptions } from "../../packages/doomloop/src/core/options.ts";
import type { PresetName } from "../../packages/doomloop/src/core/policy/presets.ts";
import { openTrace } from "../../packages/doomloop/src/transcripts/trace/open-trace.ts";
import type { TraceRun } from "../../packages/doomloop/src/transcripts/trace/parse-run.ts";
import { readTrace } from "../../packages/doomloop/src/transcripts/trace/read-trace.ts";
import { rules } from "./rules/index.ts";
import { recordedSteps } from "./rules/recorded-step.ts";

/** What to replay, and through what. */
export interface ReplayOrder {
  /** A trace file: one source. */
  readonly path: string;
  readonly preset: PresetName;
  /** A module with somebody else's detector. */
  readonly detector?: string;
  /** Settings of our guard to replay instead of the published rules, by name. */
  readonly variants?: Readonly<Record<string, GuardOptions>>;
}

/** A run as the detectors saw it. */
export interface JudgedRun {
  readonly run: string;
  readonly task: string | undefined;
  readonly isSuccess: boolean;
  readonly calls: number;
  readonly hasResults: boolean;
  /** The calls at which each detector spoke, in order, by the detector's name. */
  readonly spokeAt: Readonly<Record<string, readonly number[]>>;
  /** Our decisions, with how sure their findings are. */
  readonly decisions: readonly { readonly call: number; readonly confidence: number }[];
  /** Whether our guard would have refused a call, or ended the run. */
  readonly isBlocked: boolean;
  readonly isStopped: boolean;
}

export interface JudgedSource {
  readonly source: string;
  readonly runs: readonly JudgedRun[];
  /** Lines and events that could not be read. */
  readonly skipped: number;
  /** Faults inside the guard. */
  readonly faults: number;
}

/** What a module given with `--detector` exports. It is not told how the run ended. */
type Detect = (run: Omit<TraceRun, "outcome">) => readonly number[] | Promise<readonly number[]>;

/** Our own name in the tables. */
export const OURS = "doomloop";

/** Replays all runs of a trace file through our guard, the published rules, and the detector that was given. */
export async function replaySource({ path, preset, detector, variants }: ReplayOrder): Promise<JudgedSource> {
  const given = detector === undefined ? undefined : await loadDetector(detector);
  const runs: JudgedRun[] = [];
  let skipped = 0;
  let faults = 0;
  for await (const trace of readTrace(openTrace(path), { onSkipped: () => void skipped++ })) {
    const { run, task, outcome, events } = trace;
    const ours = replayRun(events, { preset });
    skipped += ours.badEvents;
    faults += ours.faults;
    // A preset that never acts is scored by what it reports.
    const decisions = ours.decisions.filter(({ action }) => action !== "continue" || preset === "shadow");
    const spokeAt: Record<string, readonly number[]> = { [OURS]: inOrder(decisions.map(({ call }) => call)) };
    if (given !== undefined) {
      const { outcome: _, ...unfinished } = trace;
      spokeAt[nameOf(detector!)] = inOrder(await given(unfinished));
    }
    if (variants === undefined) {
      const steps = recordedSteps(events.filter((event) => typeof event?.type === "string"));
      for (const [name, rule] of Object.entries(rules)) spokeAt[name] = rule(steps);
    }
    for (const [name, options] of Object.entries(variants ?? {})) {
      const spoken = replayRun(events, options).decisions.filter(({ action }) => action !== "continue");
      spokeAt[name] = inOrder(spoken.map(({ call }) => call));
    }
    runs.push({
      run,
      task,
      isSuccess: outcome === "success",
      calls: ours.calls,
      hasResults: events.some((event) => event?.type === "result"),
      spokeAt,
      decisions: decisions.map(({ call, confidence }) => ({ call, confidence })),
      isBlocked: decisions.some(({ action }) => action === "block" || action === "restart" || action === "stop"),
      isStopped: decisions.some(({ action }) => action === "stop"),
    });
  }
  return { source: sourceOf(path), runs, skipped, faults };
}

/** A source is named as its file is. */
function sourceOf(path: string): string {
  return basename(path).replace(/\.jsonl(?:\.gz)?$/, "");
}

/** A detector is named as its file is. */
function nameOf(path: string): string {
  return basename(path).replace(/\.\w+$/, "");
}

async function loadDetector(path: string): Promise<Detect> {
  const { detect } = (await import(pathToFileURL(path).href)) as { detect?: unknown };
  if (typeof detect !== "function") throw new Error(`--detector: a function named detect is required from ${path}`);
  return detect as Detect;
}

function inOrder(calls: readonly number[]): number[] {
  return [...new Set(calls)].sort((one, other) => one - other);
}

import type { Action } from "../core/decision.ts";
import type { Finding } from "../core/detectors/index.ts";
import { shownTool } from "./describe-call.ts";
import type { Uncounted } from "./run-record.ts";

const MAX_SHOWN = 3;

/** A loop as its decisions come in. */
interface OpenLoop {
  readonly loop: string;
  readonly kind: Finding["kind"];
  readonly tools: readonly string[];
  readonly what: string;
  readonly period: number | null;
  readonly onset: number;
  readonly at: number | null;
  count: number;
  confidence: number;
  end: number;
  decided: number;
  readonly decisions: { readonly call: number; readonly action: Action }[];
  /** The latest repeats that were not counted, in order. */
  uncounted: readonly Uncounted[];
  /** The answers after which the guard first spoke, first refused, and the loop's last. */
  readonly spokeAfter: number;
  refusedAfter: number | undefined;
  lastAnswer: number;
  /** The call at which the guard first spoke. */
  readonly spokeAt: number;
}

interface LoopSighting {
  readonly finding: Finding;
  /** Undefined where the guard says nothing: it does not speak at every repeat. */
  readonly action: Action | undefined;
  readonly call: number;
  /** The first call that shows it. */
  readonly onset: number;
  readonly answer: number;
  readonly at: number | null;
  /** Repeats that the finding did not count. */
  readonly uncounted: readonly Uncounted[];
  /** What repeats, in words; asked for once a loop. */
  describe(): string;
}

/** Groups the decisions of a run into loops. */
export interface LoopBook {
  /** Returns whether it belongs to a loop: one begins where the guard first speaks about it, and lasts as long as it shows. */
  note(sighting: LoopSighting): boolean;
  readonly loops: readonly OpenLoop[];
}

/** A loop that shows again after so many calls and answers without it is another. */
const APART = 20;
const MAX_DECISIONS = 100;
const MAX_UNCOUNTED = 100;
const MAX_LOOPS = 2_000;
/**
 * A call that would have been refused is not counted by its finding; in a recorded run it was made all the same. One that was refused after it
 * had run is counted already: no loop has more repeats than calls.
 */
function madeInAll({ finding, action, call }: LoopSighting, onset: number): number {
  const { kind, count } = finding;
  return kind !== "call-cycle" && isRefusal(action) && count < call - onset + 1 ? count + 1 : count;
}

function isRefusal(action: Action | undefined): boolean {
  return action === "block" || action === "restart" || action === "stop";
}

/** Creates the book of a run. */
export function createLoopBook(): LoopBook {
  const loops: OpenLoop[] = [];
  const latest = new Map<string, OpenLoop>();

  const begin = ({ finding, call, onset, answer, at, describe }: LoopSighting): OpenLoop => {
    const loop: OpenLoop = {
      loop: finding.loop,
      kind: finding.kind,
      tools: finding.tools.map(shownTool),
      what: describe(),
      period: "period" in finding ? finding.period : null,
      onset,
      at,
      count: 0,
      confidence: 0,
      end: call,
      decided: 0,
      decisions: [],
      uncounted: [],
      spokeAfter: answer,
      refusedAfter: undefined,
      lastAnswer: answer,
      spokeAt: call,
    };
    loops.push(loop);
    latest.set(finding.loop, loop);
    return loop;
  };

  return {
    loops,
    note(sighting) {
      const { finding, action, call, answer } = sighting;
      const known = latest.get(finding.loop);
      const isSame = known !== undefined && call - known.end <= APART && answer - known.lastAnswer <= APART;
      if (action === undefined && !isSame) return false;
      const loop = isSame || (known !== undefined && loops.length >= MAX_LOOPS) ? known! : begin(sighting);
      loop.count = Math.max(loop.count, madeInAll(sighting, loop.onset));
      loop.confidence = Math.max(loop.confidence, finding.confidence);
      loop.end = Math.max(loop.end, call);
      loop.lastAnswer = Math.max(loop.lastAnswer, answer);
      loop.uncounted = withMore(loop.uncounted, sighting.uncounted);
      if (action === undefined) return true;
      loop.decided++;
      if (isRefusal(action)) loop.refusedAfter ??= answer;
      if (loop.decisions.length < MAX_DECISIONS) loop.decisions.push({ call, action });
      return true;
    },
  };
}

/** Each call once, the latest ones. */
function withMore(known: readonly Uncounted[], more: readonly Uncounted[]): readonly Uncounted[] {
  const fresh = more.filter(({ call }) => !known.some((other) => other.call === call));
  if (fresh.length === 0) return known;
  return [...known, ...fresh].sort((one, other) => one.call - other.call).slice(-MAX_UNCOUNTED);
}

/** One line on what repeats in a finding: tools and base names, or what the loop is if it has no calls. */
export function whatRepeats(finding: Finding, labelOf: (call: number) => string | undefined): string {
  switch (finding.kind) {
    case "repeated-text":
      return "the same words";
    case "text-only":
      return "answers without a call";
    case "call-cycle":
      return (
        listed(labelsOf(finding.steps.slice(-finding.period), labelOf), " > ") ||
        finding.tools.map(shownTool).join(" > ")
      );
    default:
      return listed(labelsOf(finding.steps, labelOf), ", ") || finding.tools.map(shownTool).join(", ");
  }
}

/** Each once, in the order of their first coming. */
function labelsOf(steps: readonly number[], labelOf: (call: number) => string | undefined): readonly string[] {
  return [...new Set(steps.map(labelOf).filter((label) => label !== undefined))];
}

function listed(labels: readonly string[], separator: string): string {
  const shown = labels.slice(0, MAX_SHOWN).join(separator);
  return labels.length > MAX_SHOWN ? `${shown}${separator}${labels.length - MAX_SHOWN} more` : shown;
}

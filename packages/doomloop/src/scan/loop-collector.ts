import type { Action } from "../core/decision.ts";
import type { Finding } from "../core/finding.ts";
import type { Cause } from "./advice/cause.ts";
import { shownTool } from "./describe-call.ts";
import { addTo, type Span } from "./report/spans.ts";

/** A loop whose run is still being read. */
export interface OpenLoop {
  readonly loop: string;
  readonly kind: Finding["kind"];
  readonly tools: readonly string[];
  readonly what: string;
  cause: Cause;
  readonly period: number | null;
  readonly onset: number;
  readonly at: number | null;
  /** How often the guard counted it, and the most evidence that it saw. */
  counted: number;
  weight: number;
  confidence: number;
  /** Whether all calls, or all laps, have equal arguments. */
  areEqual: boolean;
  end: number;
  /** The calls that findings name. None for loops of words. */
  readonly named: Span[];
  /** The calls of other loops in the same stretch, which `count` does not include. */
  readonly besides: readonly Span[];
  /** The call that repeats, if one call does. */
  readonly repeated: number | undefined;
  decided: number;
  /** The call of the latest decision. */
  decidedAt: number;
  readonly decisions: { readonly call: number; readonly action: Action }[];
  /** The answer after which the guard first decided, first refused a call, and the loop's last answer. */
  readonly spokeAfter: number;
  refusedAfter: number | undefined;
  lastAnswer: number;
  /** The call of the first decision. */
  readonly spokeAt: number;
}

/** Groups the guard's decisions on a run into loops. */
export interface LoopCollector {
  /**
   * Adds a sighting, and returns the loop that it belongs to. A loop begins at the guard's first decision about it and
   * lasts as long as it is seen.
   */
  note(sighting: LoopSighting): OpenLoop | undefined;
  readonly loops: readonly OpenLoop[];
}

interface LoopSighting {
  readonly finding: Finding;
  /** Undefined if the guard stays silent: it does not decide at every repeat. */
  readonly action: Action | undefined;
  readonly call: number;
  /** The calls from `since` on that the finding names, in order. From 0 on, the first is the loop's first call. */
  steps(since: number): readonly number[];
  /** The call that repeats, if one call does. */
  readonly repeated?: number | undefined;
  /** Whether these calls are equal. */
  areEqual(steps: readonly number[]): boolean;
  readonly answer: number;
  readonly at: number | null;
  /** Describes what repeats. Called once for each loop. */
  describe(): string;
  /** The tools, the one whose calls show the loop first. Called once for each loop. */
  tools(): readonly string[];
  /** Why it repeats. Called for the first few decisions on a loop. */
  cause(): Cause;
}

/** A loop that returns after this many calls and answers counts as a new loop. */
const APART = 20;
const MAX_DECISIONS = 100;
/** If the first few decisions see different causes, the cause is unknown. */
const MAX_CAUSES = 6;
const MAX_LOOPS = 2_000;
const MAX_SPANS = 2_000;
/** With each sighting, a loop looks back this many calls: if it were at all of them, long loops would take forever. */
const MAX_LATEST = 100;

export function createLoopCollector(): LoopCollector {
  const loops: OpenLoop[] = [];
  const latest = new Map<string, OpenLoop>();

  const begin = ({ finding, call, steps, repeated, answer, at, describe, tools, cause }: LoopSighting): OpenLoop => {
    const loop: OpenLoop = {
      loop: finding.loop,
      kind: finding.kind,
      tools: tools(),
      what: describe(),
      cause: cause(),
      period: "period" in finding ? finding.period : null,
      onset: steps(0)[0] ?? call,
      at,
      counted: 0,
      weight: 0,
      confidence: 0,
      areEqual: true,
      end: call,
      named: [],
      besides: [],
      repeated,
      decided: 0,
      decidedAt: -1,
      decisions: [],
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
      if (action === undefined && !isSame) return undefined;
      const loop = isSame || (known !== undefined && loops.length >= MAX_LOOPS) ? known! : begin(sighting);
      loop.counted = Math.max(loop.counted, finding.count);
      loop.confidence = Math.max(loop.confidence, finding.confidence);
      loop.weight = Math.max(loop.weight, finding.weight);
      // The calls before these were added when they were made.
      const steps = sighting.steps(loop.decided === 0 ? 0 : Math.max(0, loop.end - MAX_LATEST));
      loop.areEqual &&= sighting.areEqual(steps);
      loop.end = Math.max(loop.end, call);
      loop.lastAnswer = Math.max(loop.lastAnswer, answer);
      for (const step of steps) if (step >= loop.onset && loop.named.length < MAX_SPANS) addTo(loop.named, step);
      // A call that should have been refused ran all the same, so its result may be answered, too.
      if (action === undefined || call === loop.decidedAt) return loop;
      loop.decided++;
      loop.decidedAt = call;
      if (loop.decided > 1 && loop.decided <= MAX_CAUSES && loop.cause !== sighting.cause()) loop.cause = "unknown";
      if (isRefusal(action)) loop.refusedAfter ??= answer;
      if (loop.decisions.length < MAX_DECISIONS) loop.decisions.push({ call, action });
      return loop;
    },
  };
}

/**
 * What each call of a loop added to its evidence, where the loop is not about one call: the same for each call after the
 * first. What an equal call adds is known from the call itself.
 */
export function sharesIn(loops: readonly OpenLoop[]): ReadonlyMap<number, number> {
  const shares = new Map<number, number>();
  for (const { repeated, weight, onset, named } of loops) {
    if (repeated !== undefined) continue;
    const calls = named.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => first + at));
    const later = calls.filter((call) => call > onset);
    for (const call of later) shares.set(call, Math.max(shares.get(call) ?? 0, weight / later.length));
  }
  return shares;
}

function isRefusal(action: Action): boolean {
  return action === "block" || action === "restart" || action === "stop";
}

/**
 * Describes in one line what repeats: the tools and base names of files, or the kind of loop if it has no calls. A cycle
 * begins with its first call.
 */
export function whatRepeats(
  finding: Finding,
  steps: readonly number[],
  labelOf: (call: number) => string | undefined,
): string {
  switch (finding.kind) {
    case "repeated-text":
      return "the same words";
    case "text-only":
      return "answers without a call";
    case "call-cycle":
      return (
        listed(labelsOf(steps.slice(0, finding.period), labelOf), " > ") || finding.tools.map(shownTool).join(" > ")
      );
    default:
      return listed(labelsOf(steps, labelOf), ", ") || finding.tools.map(shownTool).join(", ");
  }
}

/** The distinct labels, in order of first appearance. */
function labelsOf(steps: readonly number[], labelOf: (call: number) => string | undefined): readonly string[] {
  return [...new Set(steps.map(labelOf).filter((label) => label !== undefined))];
}

const MAX_SHOWN = 3;

function listed(labels: readonly string[], separator: string): string {
  const shown = labels.slice(0, MAX_SHOWN).join(separator);
  return labels.length > MAX_SHOWN ? `${shown}${separator}${labels.length - MAX_SHOWN} more` : shown;
}

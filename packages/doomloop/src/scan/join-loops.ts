import type { OpenLoop } from "./loop-collector.ts";
import { joined, type Span } from "./report/spans.ts";

/** A loop is compared with this many loops before it. */
const MAX_COMPARED = 20;
const MAX_DECISIONS = 100;

/**
 * Joins loops that lie in each other, so that one stretch of a run is one loop. The guard sees some loops from several
 * sides: if an edit is made and undone, and a test fails in two ways, it sees one repeated call for each failure.
 *
 * A loop that lies in a gap of another one stays a loop of its own, and so does a loop of words.
 */
export function joinLoops(loops: readonly OpenLoop[]): readonly OpenLoop[] {
  const stretches: OpenLoop[] = [];
  for (const loop of loops) {
    let stretch = loop;
    for (let at = stretches.length - 1; at >= Math.max(0, stretches.length - MAX_COMPARED); at--)
      if (isInterleaved(stretches[at]!, stretch)) stretch = oneLoop(stretches.splice(at, 1)[0]!, stretch);
    stretches.push(stretch);
  }
  return stretches.sort((one, other) => one.spokeAt - other.spokeAt);
}

/** Whether each of two loops has a call between the first and the last call of the other. */
function isInterleaved(one: OpenLoop, other: OpenLoop): boolean {
  const [calls, others] = [callsOf(one), callsOf(other)];
  return hasCallIn(calls, hullOf(others)) && hasCallIn(others, hullOf(calls));
}

function callsOf({ named, besides }: OpenLoop): readonly Span[] {
  return besides.length === 0 ? named : joined([...named, ...besides]);
}

function hullOf(calls: readonly Span[]): Span {
  return [calls[0]?.[0] ?? 0, calls.at(-1)?.[1] ?? -1];
}

function hasCallIn(calls: readonly Span[], [first, last]: Span): boolean {
  return calls.some(([from, to]) => from <= last && to >= first);
}

/** The loop with more evidence says what repeats. The other one adds its calls, and what the guard decided about it. */
function oneLoop(first: OpenLoop, second: OpenLoop): OpenLoop {
  const [main, other] = second.weight > first.weight ? [second, first] : [first, second];
  const isSame = isAboutSameCalls(main, other);
  const calls = new Map([...first.decisions, ...second.decisions].map((decision) => [decision.call, decision]));
  const decisions = [...calls.values()].sort((one, later) => one.call - later.call).slice(0, MAX_DECISIONS);
  const unlisted = [first, second].reduce((sum, loop) => sum + loop.decided - loop.decisions.length, 0);
  return {
    ...main,
    confidence: Math.max(first.confidence, second.confidence),
    areEqual: main.areEqual && (!isSame || (other.areEqual && main.repeated === other.repeated)),
    onset: Math.min(first.onset, second.onset),
    end: Math.max(first.end, second.end),
    at: first.at ?? second.at,
    named: isSame ? [...joined([...main.named, ...other.named])] : main.named,
    besides: joined([...main.besides, ...other.besides, ...(isSame ? [] : other.named)]),
    decisions,
    decided: calls.size + unlisted,
    decidedAt: Math.max(first.decidedAt, second.decidedAt),
    spokeAt: Math.min(first.spokeAt, second.spokeAt),
    spokeAfter: Math.min(first.spokeAfter, second.spokeAfter),
    refusedAfter: firstOf(first.refusedAfter, second.refusedAfter),
    lastAnswer: Math.max(first.lastAnswer, second.lastAnswer),
  };
}

/** Whether the other loop is about the same call or the same file, or also about calls of these tools that differ. */
function isAboutSameCalls(main: OpenLoop, other: OpenLoop): boolean {
  if (main.repeated !== undefined) return main.repeated === other.repeated || main.what === other.what;
  return !main.areEqual && other.tools.every((tool) => main.tools.includes(tool));
}

function firstOf(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

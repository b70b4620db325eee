import type { AgentEvent, ResultEvent } from "../../../packages/doomloop/src/core/event.ts";
import { createCallIndices } from "../../../packages/doomloop/src/scan/replay/replay-run.ts";

/** A call of a recorded run with what came of it, in the terms in which published rules are stated. */
export interface RecordedStep {
  readonly index: number;
  readonly tool: string;
  readonly args: unknown;
  /** Equal for equal tools and arguments, whatever the order of the arguments. */
  readonly key: string;
  /** The same, in the order in which the arguments were written. */
  readonly literalKey: string;
  /** Calls of one model answer share it, as far as a recording tells; without results, each call has its own. */
  readonly round: number;
  /** How often the user had spoken. */
  readonly turn: number;
  /** Equal for equal results; undefined if none was recorded. */
  outcome?: string;
  /** The result as text, as far as it was recorded. */
  output?: string;
  isError?: boolean;
}

/** A published rule: the indices of the calls at which its condition holds. Each step is judged with those before it. */
export type Rule = (steps: readonly RecordedStep[]) => number[];

/** The calls of a run in their order, each with its result. */
export function recordedSteps(events: readonly AgentEvent[]): RecordedStep[] {
  const indices = createCallIndices();
  const steps: RecordedStep[] = [];
  let round = 0;
  let turn = 0;
  const hasResults = events.some(({ type }) => type === "result");
  let isRoundOver = false;
  for (const event of events) {
    if (event.type === "call") {
      if (isRoundOver) round++;
      isRoundOver = !hasResults;
      const { tool, args } = event;
      const key = `${tool} ${canonicalText(args)}`;
      steps.push({
        index: indices.indexOf(event),
        tool,
        args,
        key,
        literalKey: `${tool} ${textOf(args)}`,
        round,
        turn,
      });
      continue;
    }
    isRoundOver = true;
    if (event.type === "user") turn++;
    if (event.type !== "result" || steps.length === 0) continue;
    addResult(steps[indices.indexOf(event)]!, event);
  }
  return steps;
}

/** Keeps the first result of a call. */
function addResult(step: RecordedStep, { output, digest, error }: ResultEvent): void {
  if (step.outcome !== undefined) return;
  step.output = textOf(output);
  step.outcome = digest ?? canonicalText(output);
  step.isError = error === true;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** JSON with the keys of all objects in order. */
export function canonicalText(value: unknown): string {
  const sorted = (_key: string, part: unknown): unknown => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)));
  };
  return typeof value === "string" ? value : (JSON.stringify(value, sorted) ?? "");
}

/** A rule from its condition, which is asked at each step and may look at all steps up to there. */
export function holdsAt(condition: (steps: readonly RecordedStep[], at: number) => boolean): Rule {
  return (steps) => steps.filter((_, at) => condition(steps, at)).map(({ index }) => index);
}

/** What two steps must share to count as equal; undefined equals nothing. */
export type Identity = (step: RecordedStep) => string | undefined;

/** The call with its result. */
export const callAndResult: Identity = ({ key, outcome }) => (outcome === undefined ? undefined : `${key}\n${outcome}`);

/** Whether the steps up to a place are one sequence of calls, `laps` times over, in one turn if so asked. */
export function endsInLaps(
  steps: readonly RecordedStep[],
  at: number,
  { period, laps, identity, isOneTurn = false }: LapOptions,
): boolean {
  const first = at - period * laps + 1;
  if (first < 0 || (isOneTurn && steps[first]!.turn !== steps[at]!.turn)) return false;
  for (let place = at; place >= first; place--) {
    const own = identity(steps[place]!);
    if (own === undefined) return false;
    if (place - period >= first && identity(steps[place - period]!) !== own) return false;
  }
  return true;
}

interface LapOptions {
  readonly period: number;
  readonly laps: number;
  readonly identity: Identity;
  /** @default false */
  readonly isOneTurn?: boolean;
}

/** How many of the last `size` steps, the one at the place included, equal that one. */
export function countAmongLast(
  steps: readonly RecordedStep[],
  at: number,
  size: number,
  identity: (step: RecordedStep) => string | undefined,
): number {
  const own = identity(steps[at]!);
  if (own === undefined) return 0;
  let count = 0;
  for (let place = at; place >= 0 && place > at - size; place--) if (identity(steps[place]!) === own) count++;
  return count;
}

/** The whole numbers from one to another, both included. */
export function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

import type { RecordedStep, Rule } from "./recorded-step.ts";

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

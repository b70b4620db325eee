import type { LoopSummary, ReportStep, RunSteps } from "../../../doomloop/src/scan/report/report.ts";
import { ACTION_ORDER, isOfAnswers } from "../../../doomloop/src/scan/report/words.ts";
import { callsOf } from "./calls-in-loops.ts";
import { type Grouping, groupKey, type StepGroup } from "./step-groups.ts";

/** A piece of a loop's bracket above one cell. Only calls of the loop have one. */
export interface BracketPart {
  /** Which loop of the run, from 0. */
  readonly loop: number;
  /** Brackets that overlap lie in different lanes, from 0. */
  readonly lane: number;
  readonly isStart: boolean;
  readonly isEnd: boolean;
}

export interface StepCell {
  readonly type: "step";
  readonly step: ReportStep;
  /** Place among the steps that are listed, from 0. */
  readonly position: number;
  readonly group: StepGroup | undefined;
  /** The outcome is that of the latest equal step before. */
  readonly isBarren: boolean;
  readonly brackets: readonly BracketPart[];
  /** What the guard would have done at this call, mildest first. */
  readonly actions: readonly string[];
  /** Why the step added nothing to the evidence. */
  readonly uncounted: readonly string[];
}

/** Calls that the report left out. */
interface GapCell {
  readonly type: "gap";
  readonly calls: number;
  readonly brackets: readonly BracketPart[];
}

export type StripCell = StepCell | GapCell;

export interface Strip {
  readonly cells: readonly StripCell[];
  readonly lanes: number;
}

const MAX_LANES = 3;

/** Lays a run out as a row of cells, with brackets over its loops and marks where the guard would have acted. */
export function layoutStrip(
  run: RunSteps,
  loops: readonly LoopSummary[],
  groups: ReadonlyMap<string, StepGroup>,
  grouping: Grouping,
): Strip {
  const lanes = assignLanes(loops);
  const rows = loops.map(callsOf);
  const actions = actionsByCall(loops);
  const uncounted = reasonsByCall(loops);
  const outcomes = new Map<string, string | null>();
  const cells: StripCell[] = [];
  const bracketsOver = (first: number, last: number): BracketPart[] =>
    rows.flatMap((row, loop) => {
      const touched = row.filter(([begin, end]) => begin <= last && end >= first);
      const [begin, end] = [touched[0]?.[0], touched.at(-1)?.[1]];
      return begin === undefined || end === undefined
        ? []
        : [{ loop, lane: lanes[loop] ?? 0, isStart: first <= begin, isEnd: last >= end }];
    });

  let expected = 1;
  const leaveGap = (until: number) => {
    if (until > expected)
      cells.push({ type: "gap", calls: until - expected, brackets: bracketsOver(expected, until - 1) });
  };
  for (const [position, step] of run.steps.entries()) {
    leaveGap(step.call);
    expected = step.call + 1;
    const before = outcomes.get(step.same);
    cells.push({
      type: "step",
      step,
      position,
      group: groups.get(groupKey(step, grouping) ?? ""),
      isBarren: before !== undefined && before !== null && before === step.outcome,
      brackets: bracketsOver(step.call, step.call),
      actions: actions.get(step.call) ?? [],
      uncounted: [
        ...new Set([...(uncounted.get(step.call) ?? []), ...(step.reason === undefined ? [] : [step.reason])]),
      ],
    });
    outcomes.set(step.same, step.outcome);
  }
  leaveGap(run.total + 1);
  return { cells, lanes: Math.max(0, ...lanes.map((lane) => lane + 1)) };
}

/** The first lane that is free; where all are taken, brackets share the last one. */
function assignLanes(loops: readonly LoopSummary[]): readonly number[] {
  const freeFrom: number[] = [];
  return loops.map(({ onset, end }) => {
    let lane = freeFrom.findIndex((free) => free <= onset);
    if (lane === -1) lane = Math.min(freeFrom.length, MAX_LANES - 1);
    freeFrom[lane] = Math.max(freeFrom[lane] ?? 0, end + 1);
    return lane;
  });
}

function actionsByCall(loops: readonly LoopSummary[]): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, Set<string>>();
  // What is said about answers belongs to no call.
  for (const { decisions } of loops.filter((loop) => !isOfAnswers(loop))) {
    for (const { call, action } of decisions) found.set(call, (found.get(call) ?? new Set()).add(action));
  }
  const order = (action: string) => ACTION_ORDER.indexOf(action);
  return new Map([...found].map(([call, set]) => [call, [...set].sort((one, other) => order(one) - order(other))]));
}

/** Reports of earlier versions of the package hold no reasons. */
function reasonsByCall(loops: readonly LoopSummary[]): ReadonlyMap<number, ReadonlySet<string>> {
  const found = new Map<number, Set<string>>();
  for (const { uncounted = [] } of loops) {
    for (const { call, reason } of uncounted) found.set(call, (found.get(call) ?? new Set()).add(reason));
  }
  return found;
}

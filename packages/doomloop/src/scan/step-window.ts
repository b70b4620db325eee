import type { CallEvent, ResultEvent } from "../core/event.ts";
import { readText } from "../core/reading/result.ts";
import { platform } from "../platform.ts";
import { describeCall } from "./describe-call.ts";
import { describeStep, type RawStep, toolOf } from "./describe-step.ts";
import type { ReportStep } from "./report/report.ts";

export interface StepWindowOptions {
  /** Keeps every step, instead of only as many as fit into a report. */
  readonly keepsAll: boolean;
  /** Keeps arguments and outputs, shortened. */
  readonly includesContent: boolean;
  /**
   * Memory for steps that are kept in case a loop appears later. All runs of a file share it.
   * @default a new one for this run
   */
  readonly stepRoom?: StepRoom | undefined;
}

/** Remaining memory, in characters: for described steps, and for steps that are kept as they came. */
export interface StepRoom {
  left: number;
  rawLeft: number;
}

/**
 * Holds the latest steps of a run in full, and descriptions of earlier ones: all of them up to a limit, beyond that
 * only the steps around loops.
 */
export interface StepWindow {
  call(index: number, event: CallEvent, at: number | undefined): void;
  result(index: number, event: ResultEvent): void;
  /** Marks a loop that was found at `call` and began at `onset`. The steps around both are kept. */
  keep(onset: number, call: number): void;
  /** Keeps a call and the steps that led to it, if they are still in the window. */
  keepBefore(call: number): void;
  /** A call as it was made. Undefined if it has left the window. */
  callOf(index: number): CallEvent | undefined;
  /** Describes a call in a few words. Undefined if the call has left the window. */
  labelOf(index: number): string | undefined;
  /** What a call answered. Empty if the call has left the window, or has no answer. */
  answerOf(index: number): string;
  /** Ends the run and returns the kept steps in order. */
  finish(): readonly ReportStep[];
  /** Ends the run and discards its steps. */
  drop(): void;
}

interface OpenStep extends RawStep {
  result: ResultEvent | undefined;
  isWanted: boolean;
}

/** Enough for two laps of a cycle of 32 calls. */
const MAX_OPEN = 72;
const MAX_OPEN_CHARACTERS = 2_000_000;
/** Steps kept before and after a loop. */
const AROUND = 6;
/** Steps kept before a call that did not count. */
const LEAD = 2;
const MAX_KEPT = 3_000;
const MAX_ALL = 20_000;
/** Limit on the characters of arguments and outputs in one run. Later steps are kept without them. */
const MAX_CONTENT = 2_400_000;
/** Approximate size of a step without content. */
const STEP_CHARACTERS = 200;
/** Approximate size of a field without its text. */
const STEP_FIELD = 40;

/**
 * Creates the window of one run.
 *
 * Most runs have no loop, and describing a step takes longer than reading it. So the steps that leave the window are
 * kept as they came, as long as there is room, and described only if a loop appears.
 */
export function createStepWindow(options: StepWindowOptions): StepWindow {
  const { keepsAll, includesContent, stepRoom = createStepRoom() } = options;
  const open = new Map<number, OpenStep>();
  /** Steps around loops. */
  const wanted: ReportStep[] = [];
  /** The first other steps, in case a loop appears later: as they came, and described. */
  let raw: OpenStep[] = [];
  const early: ReportStep[] = [];
  const limit = keepsAll ? MAX_ALL : MAX_KEPT;
  let characters = 0;
  let content = 0;
  let taken = 0;
  let rawTaken = 0;
  let wantedUntil = keepsAll ? Number.POSITIVE_INFINITY : -1;

  const described = (step: OpenStep): ReportStep => {
    const told = describeStep(step, includesContent && content < MAX_CONTENT);
    content += contentOf(told);
    return told;
  };

  const close = (step: OpenStep): void => {
    open.delete(step.index);
    characters -= sizeOf(step);
    if (step.isWanted) {
      if (wanted.length < limit) wanted.push(described(step));
    } else if (raw.length + early.length < limit && stepRoom.left > 0 && !keepAsItCame(step)) {
      const told = described(step);
      early.push(told);
      takeRoom(STEP_CHARACTERS + contentOf(told));
    }
  };

  const takeRoom = (size: number): void => {
    stepRoom.left -= size;
    taken += size;
  };

  const keepAsItCame = (step: OpenStep): boolean => {
    // Content has a limit of its own, which is used up in the order of the steps.
    const size = includesContent ? Number.POSITIVE_INFINITY : rawSizeOf(step);
    if (size > stepRoom.rawLeft) return false;
    raw.push(step);
    stepRoom.rawLeft -= size;
    rawTaken += size;
    takeRoom(STEP_CHARACTERS);
    return true;
  };

  const makeRoom = (): void => {
    for (const step of open.values()) {
      if (open.size <= MAX_OPEN && (characters <= MAX_OPEN_CHARACTERS || open.size <= 1)) return;
      close(step);
    }
  };

  const giveBack = (): void => {
    raw = [];
    stepRoom.left += taken;
    stepRoom.rawLeft += rawTaken;
    taken = 0;
    rawTaken = 0;
  };

  return {
    call(index, event, at) {
      const step: OpenStep = { index, event, at, result: undefined, isWanted: index <= wantedUntil };
      open.set(index, step);
      characters += sizeOf(step);
      if (open.size > MAX_OPEN || characters > MAX_OPEN_CHARACTERS) makeRoom();
    },
    result(index, event) {
      const step = open.get(index);
      if (step === undefined) return;
      const before = sizeOf(step);
      step.result = event;
      characters += sizeOf(step) - before;
      if (characters > MAX_OPEN_CHARACTERS) makeRoom();
    },
    keep(onset, call) {
      wantedUntil = Math.max(wantedUntil, call + AROUND);
      for (const step of open.values()) if (step.index >= onset - AROUND) step.isWanted = true;
    },
    keepBefore(call) {
      for (let index = call - LEAD; index <= call; index++) {
        const step = open.get(index);
        if (step !== undefined) step.isWanted = true;
      }
    },
    callOf: (index) => open.get(index)?.event,
    labelOf(index) {
      const step = open.get(index);
      return step === undefined ? undefined : describeCall(toolOf(step.event), step.event.args);
    },
    answerOf(index) {
      const result = open.get(index)?.result;
      return result === undefined ? "" : readText(result.output, platform).text;
    },
    finish() {
      for (const step of [...open.values()]) close(step);
      const first = [...early, ...raw.map(described)].sort(byCall).slice(0, limit - wanted.length);
      giveBack();
      return [...first, ...wanted].sort(byCall);
    },
    drop() {
      open.clear();
      giveBack();
    },
  };
}

function byCall(one: ReportStep, other: ReportStep): number {
  return one.call - other.call;
}

function sizeOf({ event, result }: OpenStep): number {
  const { args } = event;
  const output = result?.output;
  return (typeof args === "string" ? args.length : 200) + (typeof output === "string" ? output.length : 200);
}

/** The size of a step that consists of texts. The size of others is not known at a glance, so there is no room for them. */
function rawSizeOf({ event, result }: OpenStep): number {
  const output = result?.output ?? "";
  return sizeOfTexts(event.args) + (typeof output === "string" ? output.length : Number.POSITIVE_INFINITY);
}

function sizeOfTexts(args: unknown): number {
  if (typeof args !== "object" || args === null) return typeof args === "string" ? args.length : 0;
  let size = 0;
  for (const value of Object.values(args)) {
    if (typeof value === "object" && value !== null) return Number.POSITIVE_INFINITY;
    size += STEP_FIELD + (typeof value === "string" ? value.length : 0);
  }
  return size;
}

function contentOf(step: ReportStep): number {
  return (step.arguments?.length ?? 0) + (step.output?.length ?? 0);
}

const MAX_ROOM = 10_000_000;
const MAX_RAW_ROOM = 6_000_000;

/**
 * Creates the memory limit for the open runs of one file: about 50,000 steps, or 10 MB of content; and 6 MB of steps as
 * they came.
 */
export function createStepRoom(): StepRoom {
  return { left: MAX_ROOM, rawLeft: MAX_RAW_ROOM };
}

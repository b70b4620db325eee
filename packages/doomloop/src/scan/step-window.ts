import type { CallEvent, ResultEvent } from "../core/event.ts";
import { describeCall } from "./describe-call.ts";
import { describeStep, type RawStep, toolOf } from "./describe-step.ts";
import type { ReportStep } from "./report/report.ts";

export interface StepWindowOptions {
  /** Keeps every step, not only as many as a report holds. */
  readonly keepsAll: boolean;
  /** Keeps arguments and outputs, cut. */
  readonly includesContent: boolean;
  /**
   * For steps that are kept in case a loop shows later on; the runs of a file share it.
   * @default one for this run
   */
  readonly stepRoom?: StepRoom | undefined;
}

/** Characters that are left. */
export interface StepRoom {
  left: number;
}

/** The latest steps of a run, raw, and the others described: all up to a bound, and beyond it those around its loops. */
export interface StepWindow {
  call(index: number, event: CallEvent, at: number | undefined): void;
  result(index: number, event: ResultEvent): void;
  /** A loop shows at a call, and began at another: the steps around are kept, however many there are. */
  keep(onset: number, call: number): void;
  /** A call is told of, and so is what led to it: both are kept, if it is not too long ago. */
  keepBefore(call: number): void;
  /** The call in a few words; undefined if it is too long ago. */
  labelOf(index: number): string | undefined;
  /** Ends the run and returns what was kept, in order. */
  finish(): readonly ReportStep[];
  /** Ends a run whose steps nobody wants. */
  drop(): void;
}

interface OpenStep extends RawStep {
  result: ResultEvent | undefined;
  isWanted: boolean;
}

/** A cycle may span two laps of 32 calls. */
const MAX_OPEN = 72;
const MAX_OPEN_CHARACTERS = 2_000_000;
const AROUND = 6;
const LEAD = 2;
const MAX_KEPT = 3_000;
const MAX_ALL = 20_000;
/** Characters of arguments and outputs in one run; steps beyond are kept without. */
const MAX_CONTENT = 2_400_000;
/** What a step without content takes, roughly. */
const STEP_CHARACTERS = 200;
const MAX_ROOM = 10_000_000;

/** Room for the steps of all runs of a file that are open at a time: some 50,000, or 10 MB of content. */
export function createStepRoom(): StepRoom {
  return { left: MAX_ROOM };
}

/**
 * Creates the window of a run.
 *
 * Most runs hold no loop and end within the window: a step is described only when it leaves it.
 */
export function createStepWindow(options: StepWindowOptions): StepWindow {
  const { keepsAll, includesContent, stepRoom = createStepRoom() } = options;
  const open = new Map<number, OpenStep>();
  /** Those around loops. */
  const wanted: ReportStep[] = [];
  /** The first others, in case a loop shows later on. */
  const early: ReportStep[] = [];
  const limit = keepsAll ? MAX_ALL : MAX_KEPT;
  let characters = 0;
  let content = 0;
  let taken = 0;
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
    } else if (early.length < limit && stepRoom.left > 0) {
      const told = described(step);
      early.push(told);
      const size = STEP_CHARACTERS + contentOf(told);
      stepRoom.left -= size;
      taken += size;
    }
  };

  const makeRoom = (): void => {
    for (const step of open.values()) {
      if (open.size <= MAX_OPEN && (characters <= MAX_OPEN_CHARACTERS || open.size <= 1)) return;
      close(step);
    }
  };

  const giveBack = (): void => {
    stepRoom.left += taken;
    taken = 0;
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
    labelOf(index) {
      const step = open.get(index);
      return step === undefined ? undefined : describeCall(toolOf(step.event), step.event.args);
    },
    finish() {
      for (const step of [...open.values()]) close(step);
      giveBack();
      const first = early.slice(0, limit - wanted.length);
      return [...first, ...wanted].sort((one, other) => one.call - other.call);
    },
    drop() {
      open.clear();
      giveBack();
    },
  };
}

function sizeOf({ event, result }: OpenStep): number {
  const { args } = event;
  const output = result?.output;
  return (typeof args === "string" ? args.length : 200) + (typeof output === "string" ? output.length : 200);
}

function contentOf(step: ReportStep): number {
  return (step.arguments?.length ?? 0) + (step.output?.length ?? 0);
}

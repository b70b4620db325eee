import type { CallEvent, ResultEvent } from "../../core/event.ts";
import { readArguments } from "../../core/identity/call-arguments.ts";
import { callIdentity } from "../../core/identity/call-identity.ts";
import { digestOf, digestToHex } from "../../core/identity/digest.ts";
import { toolLabel } from "../../core/identity/tool-label.ts";
import { outputText, saysIsError } from "../../core/outcome/output-text.ts";
import { readFailure } from "../../core/outcome/read-failure.ts";
import { platform } from "../../platform.ts";
import { describeCall } from "./describe-call.ts";
import type { ReportStep } from "./report.ts";

export interface StepWindowOptions {
  /** Keeps every step, not only those around loops. */
  readonly keepsAll: boolean;
  /** Keeps arguments and outputs, cut. */
  readonly includesContent: boolean;
}

/** The latest steps of a run, raw, and those around its loops, described. */
export interface StepWindow {
  call(index: number, event: CallEvent, at: number | undefined): void;
  result(index: number, event: ResultEvent): void;
  /** A loop shows at a call, and began at another: the steps around are kept. */
  keep(onset: number, call: number): void;
  /** A call is told of, and so is what led to it: both are kept, if it is not too long ago. */
  keepBefore(call: number): void;
  /** The call in a few words; undefined if it is too long ago. */
  labelOf(index: number): string | undefined;
  /** Ends the run and returns what was kept, in order. */
  finish(): readonly ReportStep[];
}

interface OpenStep {
  readonly index: number;
  readonly event: CallEvent;
  readonly at: number | undefined;
  result: ResultEvent | undefined;
  isWanted: boolean;
}

/** A cycle may span two laps of 32 calls. */
const MAX_OPEN = 72;
const MAX_OPEN_CHARACTERS = 2_000_000;
const AROUND = 6;
const LEAD = 2;
const MAX_KEPT = 400;
const MAX_ALL = 20_000;
const HASH_DIGITS = 10;
const MAX_ARGUMENTS = 2_000;
const MAX_OUTPUT = 4_000;

/**
 * Creates the window of a run.
 *
 * Most runs hold no loop, so a step is described only when it leaves the window and is wanted.
 */
export function createStepWindow({ keepsAll, includesContent }: StepWindowOptions): StepWindow {
  const open = new Map<number, OpenStep>();
  const kept: ReportStep[] = [];
  const limit = keepsAll ? MAX_ALL : MAX_KEPT;
  let characters = 0;
  let wantedUntil = keepsAll ? Number.POSITIVE_INFINITY : -1;

  const close = (step: OpenStep): void => {
    open.delete(step.index);
    characters -= sizeOf(step);
    if (step.isWanted && kept.length < limit) kept.push(describe(step, includesContent));
  };

  const makeRoom = (): void => {
    for (const step of open.values()) {
      if (open.size <= MAX_OPEN && (characters <= MAX_OPEN_CHARACTERS || open.size <= 1)) return;
      close(step);
    }
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
      return kept;
    },
  };
}

function sizeOf({ event, result }: OpenStep): number {
  const { args } = event;
  const output = result?.output;
  return (typeof args === "string" ? args.length : 200) + (typeof output === "string" ? output.length : 200);
}

function toolOf(event: CallEvent): string {
  return typeof event.tool === "string" ? event.tool : "";
}

function describe({ index, event, at, result }: OpenStep, includesContent: boolean): ReportStep {
  const tool = toolOf(event);
  const args = readArguments(event.args);
  const output = result === undefined ? undefined : outputText(result.output, platform);
  const step: ReportStep = {
    call: index,
    tool: toolLabel(tool),
    label: describeCall(tool, args),
    same: shortHash(callIdentity(tool, args, platform)?.digest) ?? `call-${index}`,
    outcome: result === undefined ? null : (shortHash(digestOf(result.digest ?? output ?? "")) ?? null),
    isFailing: isFailing(result, output),
    at: at === undefined ? null : isoTime(at),
  };
  if (!includesContent) return step;
  return {
    ...step,
    arguments: textOf(event.args).slice(0, MAX_ARGUMENTS),
    ...(output === undefined ? {} : { output: output.slice(0, MAX_OUTPUT) }),
  };
}

function isFailing(result: ResultEvent | undefined, output = ""): boolean {
  if (result === undefined) return false;
  const told = saysIsError(result.output, platform) ? true : result.error;
  return readFailure(output, typeof told === "boolean" ? told : undefined) !== undefined;
}

function shortHash(digest: string | undefined): string | undefined {
  return digest === undefined ? undefined : digestToHex(digest).slice(0, HASH_DIGITS);
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    // A value from JSON can always be written; one from a reader of the user's need not be.
    return "";
  }
}

/** The time as text; nothing for a number that is none. */
function isoTime(at: number): string | null {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

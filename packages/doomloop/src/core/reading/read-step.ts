import type { CallEvent } from "../event.ts";
import { idOf } from "../hash.ts";
import type { Hints } from "../hints/index.ts";
import { toolLabel } from "../identity/call-identity.ts";
import { isMarked, mark } from "../memory/marks.ts";
import type { DeclaredIdentity } from "../policy/tool-rules.ts";
import type { Call, Effect, Step } from "../step.ts";
import { type Reader, readCall } from "./call.ts";
import { isAboutCall, noteWords, wordOf } from "./named-words.ts";
import { askedOf } from "./orders.ts";
import { noteSleep, waitBefore, waitInside } from "./pace.ts";
import { isNo, progressOf } from "./progress.ts";
import { type ResultReading, timeOf } from "./result.ts";
import type { OpenCall, RunMemory } from "./run-memory.ts";
import { noteWorked, tellOf } from "./tell.ts";

/** What the host says about a tool. */
export interface CallTerms {
  readonly changes: boolean | undefined;
  readonly identity: DeclaredIdentity | undefined;
  readonly isPoll: boolean;
  readonly isWayOut: boolean | undefined;
  readonly patienceMs: number;
}

/** Words of longer results are not remembered. */
const NAMED = 2_048;

/** Reads a call, and notes that it was made. */
export function openCall(run: RunMemory, event: CallEvent, terms: CallTerms, reader: Reader): OpenCall {
  const originOf = (word: number): number => run.brought.find((each) => each.word === word)?.name ?? 0;
  const read = readCall(event, reader, terms.identity, originOf);
  const { hint, said } = read;
  const call = read.isComparable ? read.call : idOf(run.calls, 7);
  const isNewCall = mark(run.met, call ^ 1);
  const effect = effectOf(hint.effect, terms.changes);
  const at = timeOf(event.at);
  const waitedMs = waitBefore(run, { call, isNewCall, at, hint, isPoll: terms.isPoll });
  const made: Omit<Call, "times" | "trust"> = {
    index: run.calls,
    round: run.round,
    tool: toolLabel(read.tool),
    call,
    subject: read.subject,
    turn: read.isComparable ? read.turn : call,
    words: read.stems,
    shape: read.shape,
    isNewCall,
    isMadeUp: said.some((word) => !isMarked(run.named, word | 0)),
    waitedMs,
    patienceMs: terms.patienceMs,
    effect,
    isWayOut: terms.isWayOut ?? hint.isWayOut,
  };
  return {
    call: { ...made, ...askedOf(run.request, made, said) },
    id: undefined,
    at,
    said,
    named: wordOf(event.tool),
    isCommand: hint.command !== undefined,
    isRefused: false,
  };
}

/** The host's own word on whether a tool changes anything comes before what its name says. */
function effectOf(effect: Effect, changes: boolean | undefined): Effect {
  if (changes === undefined || effect === "wait" || (!changes && effect === "say")) return effect;
  const isLook = effect === "look" || effect === "watch" || effect === "test";
  return changes === isLook ? (changes ? "act" : "watch") : effect;
}

/** Completes a step with its result, and notes what it brought. */
export function completeStep(run: RunMemory, open: OpenCall, read: ResultReading, hints: Hints): Step {
  const { call, said } = open;
  const tookMs = read.at !== undefined && open.at !== undefined ? Math.max(0, read.at - open.at) : 0;
  const waitedMs = Math.max(call.waitedMs, waitInside(call.effect, tookMs));
  const told = tellOf(run, open, read, hints);
  const { result, form, failure } = told;
  const mayBeNo = told.outcome === "content" && !told.isDone && !open.isCommand;
  const outcome = mayBeNo && isNo(run, call, told, read.length) && !isAboutCall(read.text, said) ? "no" : told.outcome;
  noteWorked(run, call.tool, outcome);
  noteSleep(run, failure === undefined ? call : { ...call, effect: "look" }, waitedMs);
  const progress = progressOf(run, call, outcome, told);
  if (progress !== "none" && read.length <= NAMED) noteWords(run, read.text, said, call.turn);
  return { ...call, waitedMs, result, form, length: read.length, outcome, failure, progress };
}

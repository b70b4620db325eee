import { pushLatest } from "../collections/bounded.ts";
import type { CallEvent } from "../event.ts";
import { idOf } from "../hash.ts";
import type { Hints } from "../hints/index.ts";
import { toolLabel } from "../identity/call-identity.ts";
import { uniqueDigest } from "../identity/digest.ts";
import { isMarked, mark } from "./marks.ts";
import type { DeclaredIdentity } from "../policy/tool-rules.ts";
import type { Call, Effect, Step } from "../step.ts";
import { type CallReading, type Reader, readCall } from "./call.ts";
import { isAboutCall, noteWords, wordOf } from "./named-words.ts";
import { askedOf } from "./orders.ts";
import { noteSleep, waitBefore, waitInside } from "./pace.ts";
import { isNo, progressOf } from "./progress.ts";
import { type ResultReading, timeOf } from "./result.ts";
import { keptId, MAX_OPEN } from "./open-calls.ts";
import type { FleetIdentity, OpenCall, RunMemory } from "./run-memory.ts";
import { noteWorked, tellOf } from "./tell.ts";

/** What the host says about a tool. */
export interface CallTerms {
  readonly changes: boolean | undefined;
  readonly identity: DeclaredIdentity | undefined;
  readonly isPoll: boolean;
  readonly isWayOut: boolean | undefined;
  readonly patienceMs: number;
  readonly needsStrict: boolean;
  readonly needsFingerprint: boolean;
  /** Whose world the call is about, in a fleet. */
  readonly scope: FleetIdentity["scope"] | undefined;
}

/** Words of longer results are not remembered. */
const NAMED = 2_048;

/** Reads a call. Remembers nothing of it: it may be one that was read already. */
export function readNextCall(run: RunMemory, event: CallEvent, terms: CallTerms, reader: Reader): CallReading {
  const originOf = (word: number): number => run.brought.find((each) => each.word === word)?.name ?? 0;
  return readCall(event, reader, terms, originOf);
}

/** Notes that a call was made, and returns it as one whose result is awaited. */
export function openCall(run: RunMemory, event: CallEvent, terms: CallTerms, read: CallReading): OpenCall {
  const { hint, said, isComparable } = read;
  const call = identityOfCall(run, read);
  const isNewCall = mark(run.met, call ^ 1);
  const effect = effectOf(hint.effect, terms.changes);
  const at = timeOf(event.at);
  const waitedMs = waitBefore(run, { call, isNewCall, at, hint, isPoll: terms.isPoll });
  const made: Omit<Call, "times" | "trust"> = {
    index: run.calls,
    round: run.round,
    tool: toolLabel(event.tool),
    call,
    subject: read.subject,
    turn: isComparable ? read.turn : call,
    words: read.stems,
    shape: isComparable ? read.shape : call,
    isNewCall,
    isMadeUp: said.some((word) => !isMarked(run.named, word | 0)),
    waitedMs,
    patienceMs: terms.patienceMs,
    effect,
    isWayOut: terms.isWayOut ?? hint.isWayOut,
  };
  const open: OpenCall = {
    call: { ...made, ...askedOf(run.request, made, said) },
    isComparable,
    strict: read.strict ?? (terms.needsStrict ? uniqueDigest("call", run.calls) : undefined),
    shared:
      read.fingerprint === undefined || terms.scope === undefined
        ? undefined
        : { scope: terms.scope, fingerprint: read.fingerprint },
    id: keptId(event.id),
    at,
    said,
    named: wordOf(event.tool),
    isCommand: hint.command !== undefined,
    isPoll: terms.isPoll,
    isRefused: false,
  };
  run.calls++;
  pushLatest(run.open, open, MAX_OPEN);
  return open;
}

/** What cannot be compared equals nothing. */
export function identityOfCall({ calls }: RunMemory, { call, isComparable }: CallReading): number {
  return isComparable ? call : idOf(calls, 7);
}

/** The host's own word on whether a tool changes anything comes before what its name says. */
function effectOf(effect: Effect, changes: boolean | undefined): Effect {
  if (changes === undefined || effect === "wait" || (!changes && effect === "say")) return effect;
  const isLook = effect === "look" || effect === "watch" || effect === "test";
  return changes === isLook ? (changes ? "act" : "watch") : effect;
}

/** Completes a step with its result, and notes what it brought. `isExact`: the result is the one that its call got before, to the letter. */
export function completeStep(
  run: RunMemory,
  open: OpenCall,
  read: ResultReading,
  hints: Hints,
): { readonly step: Step; readonly isExact: boolean } {
  const { call, said } = open;
  const tookMs = read.at !== undefined && open.at !== undefined ? Math.max(0, read.at - open.at) : 0;
  const told = tellOf(run, open, read, hints);
  // A wait that fails does not wait.
  const isNoWait = call.effect === "wait" && told.failure?.isTold === true;
  const waitedMs = isNoWait ? 0 : Math.max(call.waitedMs, waitInside(call.effect, tookMs));
  const { result, form, failure } = told;
  const mayBeNo = told.outcome === "content" && !told.isDone && !open.isCommand;
  const outcome = mayBeNo && isNo(run, call, told, read.length) && !isAboutCall(read.text, said) ? "no" : told.outcome;
  noteWorked(run, call.tool, outcome);
  noteSleep(run, failure === undefined ? call : { ...call, effect: "look" }, waitedMs);
  const progress = progressOf(run, call, outcome, told);
  if (!told.isAgain && outcome !== "failed" && read.length <= NAMED) noteWords(run, read.text, open, progress !== "none");
  const step = { ...call, waitedMs, result, form, length: read.length, outcome, failure, progress };
  return { step, isExact: told.isAgain };
}

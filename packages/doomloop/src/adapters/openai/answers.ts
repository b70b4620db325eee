import { MESSAGE_PREFIX } from "../../core/reading/result.ts";
import type { Recalled } from "../../host/host-run.ts";
import { isUserAfterResult, type Spoken } from "../../host/is-user-after-result.ts";
import { hasOwnWords, isRefusal } from "../../host/own-words.ts";
import type { CallPart, Entry, Part, ResultPart } from "./items.ts";

/** So many entries before a message are looked at to tell whether the user wrote it. */
const MAX_BACK = 512;

/** Whether an answer of the model begins with this entry. */
export function isStartOfAnswer(entries: readonly Entry[], at: number): boolean {
  const [before, entry] = [entries[at - 1], entries[at]];
  return entry?.isModel === true && (before?.isModel !== true || before.isWholeAnswer || entry.isWholeAnswer);
}

/** All parts of the answer that an entry belongs to. */
export function answerAround(entries: readonly Entry[], at: number): Part[] {
  const from = startOfTurn(entries, at);
  let to = at + 1;
  while (entries[to]?.isModel && !isStartOfAnswer(entries, to)) to++;
  return entries.slice(from, to).flatMap(({ parts }) => parts);
}

/** The calls of an answer. */
export function callsAround(entries: readonly Entry[], at: number): CallPart[] {
  return at < 0 ? [] : answerAround(entries, at).filter((part) => part.type === "call");
}

/** The results of an answer's calls, by call. Only results before the next answer count, because ids may repeat, and several calls may share one. */
export function resultsAround(entries: readonly Entry[], at: number): Map<Part, ResultPart> {
  const calls = callsAround(entries, at);
  const results = entries.slice(at, endOfTurn(entries, at)).flatMap(({ parts }) => parts.filter(isResult));
  const byId = latestFirst(results, ({ id }) => id);
  const pairs = new Map<Part, ResultPart>();
  for (const call of calls) {
    const result = byId.get(call.id)?.pop();
    if (result !== undefined) pairs.set(call, result);
  }
  return pairs;
}

/** Values by id, the latest of each first, so that `pop` takes them in order. */
export function latestFirst<Value>(values: readonly Value[], idOf: (value: Value) => unknown): Map<unknown, Value[]> {
  const byId = new Map<unknown, Value[]>();
  for (const value of values.toReversed()) {
    const same = byId.get(idOf(value));
    if (same === undefined) byId.set(idOf(value), [value]);
    else same.push(value);
  }
  return byId;
}

/** The calls of the latest answer that have no result yet. */
export function openCallsOf(entries: readonly Entry[]): CallPart[] {
  const last = entries.findLastIndex(({ isModel }) => isModel);
  const results = resultsAround(entries, last);
  return callsAround(entries, last).filter((call) => !results.has(call));
}

/** Where the next answer of the model begins. */
function endOfTurn(entries: readonly Entry[], at: number): number {
  for (let next = at + 1; next < entries.length; next++) if (isStartOfAnswer(entries, next)) return next;
  return entries.length;
}

/** Whether the model has not answered again after an entry. */
export function isLatestTurn(entries: readonly Entry[], at: number): boolean {
  return endOfTurn(entries, at) === entries.length;
}

function isResult(part: Part): part is ResultPart {
  return part.type === "result";
}

/** Whether an entry is the result of a call. */
function hasResult({ parts }: Entry, id: string): boolean {
  return parts.some((part) => part.type === "result" && part.id === id);
}

/**
 * What a list shows about the turn of an entry. If it contains words of ours before the model answers again, the model has read them.
 * At the end of the list, a refusal has been read, but more may have to be said.
 */
export function recalledAt(entries: readonly Entry[], at: number): Recalled {
  const end = endOfTurn(entries, at);
  const parts = entries.slice(startOfTurn(entries, at), end).flatMap((entry) => entry.parts);
  if (end === entries.length) return parts.some(isTold) ? "told" : "due";
  return parts.some((part) => isTold(part) || isRefused(part)) ? "told" : "untold";
}

function startOfTurn(entries: readonly Entry[], at: number): number {
  let from = at;
  while (from > 0 && !isStartOfAnswer(entries, from)) from--;
  return from;
}

function isTold(part: Part): boolean {
  if (part.type === "user") return part.text.startsWith(MESSAGE_PREFIX);
  return part.type === "result" && hasOwnWords(part.output);
}

function isRefused(part: Part): boolean {
  return part.type === "result" && isRefusal(part.output);
}

/** Whether the list ends with an answer without calls or questions. */
export function isAnswered(entries: readonly Entry[]): boolean {
  if (entries.at(-1)?.isModel !== true) return false;
  return !answerAround(entries, entries.length - 1).some(({ type }) => type === "call" || type === "question");
}

/** The number of results with this id between the answers before and after an entry. */
export function countResults(entries: readonly Entry[], at: number, id: string): number {
  const from = entries.slice(0, at).findLastIndex(({ isModel }) => isModel) + 1;
  const length = entries.slice(at).findIndex(({ isModel }) => isModel);
  return entries.slice(from, length < 0 ? undefined : at + length).filter((entry) => hasResult(entry, id)).length;
}

/**
 * Whether the user really wrote a user entry. Right after a result it may be a reminder that the program adds each time, unless the run
 * has ended. It may also be our own words.
 */
export function isUsersTurn(entries: readonly Entry[], at: number, hasEnded: boolean): boolean {
  if (isOurs(entries[at]!)) return false;
  if (hasEnded || !isAfterResult(entries, at)) return true;
  const spoken = entries
    .slice(Math.max(0, at - MAX_BACK), at + 1)
    .filter((entry) => !isOurs(entry))
    .map(spokenOf);
  return isUserAfterResult(spoken);
}

/** Whether nobody but the user has spoken since a result. */
function isAfterResult(entries: readonly Entry[], at: number): boolean {
  for (let before = at; before >= Math.max(0, at - MAX_BACK); before--) {
    const entry = entries[before]!;
    if (isOurs(entry) || entry.parts.some(({ type }) => type === "user")) continue;
    return entry.parts.some(({ type }) => type === "result");
  }
  return false;
}

function spokenOf({ parts, item }: Entry): Spoken {
  if (parts.some(({ type }) => type === "user")) return { by: "user", content: item.content };
  return { by: parts.some(({ type }) => type === "result") ? "result" : "other", content: undefined };
}

function isOurs({ parts }: Entry): boolean {
  return parts.some((part) => part.type === "user" && part.text.startsWith(MESSAGE_PREFIX));
}

import { MESSAGE_PREFIX } from "../../core/message-prefix.ts";
import type { Recalled } from "../../host/host-run.ts";
import { hasOwnWords, isRefusal } from "../../host/own-words.ts";
import type { CallPart, Entry, Part, ResultPart } from "./read-items.ts";

/** Whether an answer of the model's begins with this entry. */
export function isStartOfAnswer(entries: readonly Entry[], at: number): boolean {
  const [before, entry] = [entries[at - 1], entries[at]];
  return entry?.isModel === true && (before?.isModel !== true || before.isWholeAnswer || entry.isWholeAnswer);
}

/** All parts of the answer that an entry of the model's belongs to. */
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

/** The results of an answer's calls, by call. Only those before the next answer count: ids begin anew, and several calls may share one. */
export function resultsAround(entries: readonly Entry[], at: number): Map<Part, ResultPart> {
  const calls = callsAround(entries, at);
  const results = entries.slice(at, endOfTurn(entries, at)).flatMap(({ parts }) => parts.filter(isResult));
  const pairs = new Map<Part, ResultPart>();
  for (const call of calls) {
    const found = results.findIndex(({ id }) => id === call.id);
    if (found >= 0) pairs.set(call, results.splice(found, 1)[0]!);
  }
  return pairs;
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

/** Whether the model has not answered again behind an entry. */
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
 * What a list shows of the turn that an entry belongs to: words of ours anywhere before the model answers again are words that it has read.
 * At the end of the list, a refusal has been read, and whether more is to be said is open.
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

/** Whether the list ends with an answer that asks for nothing. */
export function isAnswered(entries: readonly Entry[]): boolean {
  if (entries.at(-1)?.isModel !== true) return false;
  return !answerAround(entries, entries.length - 1).some(({ type }) => type === "call" || type === "question");
}

/** How many results of one call, or of several with one id, stand together around an entry. */
export function countResults(entries: readonly Entry[], at: number, id: string): number {
  const from = entries.slice(0, at).findLastIndex(({ isModel }) => isModel) + 1;
  const length = entries.slice(at).findIndex(({ isModel }) => isModel);
  return entries.slice(from, length < 0 ? undefined : at + length).filter((entry) => hasResult(entry, id)).length;
}

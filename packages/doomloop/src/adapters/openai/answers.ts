import type { CallPart, Entry, Part } from "./read-items.ts";

/** Whether an answer of the model's begins with this entry. */
export function isStartOfAnswer(entries: readonly Entry[], at: number): boolean {
  const [before, entry] = [entries[at - 1], entries[at]];
  return entry?.isModel === true && (before?.isModel !== true || before.isWholeAnswer || entry.isWholeAnswer);
}

/** All parts of the answer that an entry of the model's belongs to. */
export function answerAround(entries: readonly Entry[], at: number): Part[] {
  let [from, to] = [at, at + 1];
  while (from > 0 && !isStartOfAnswer(entries, from)) from--;
  while (entries[to]?.isModel && !isStartOfAnswer(entries, to)) to++;
  return entries.slice(from, to).flatMap(({ parts }) => parts);
}

/** The calls of the latest answer that have no result yet. */
export function openCallsOf(entries: readonly Entry[]): CallPart[] {
  const last = entries.findLastIndex(({ isModel }) => isModel);
  const calls = last < 0 ? [] : answerAround(entries, last).filter((part) => part.type === "call");
  return calls.filter(({ id }) => !entries.some((entry) => hasResult(entry, id)));
}

/** Whether an entry is the result of a call. */
export function hasResult({ parts }: Entry, id: string): boolean {
  return parts.some((part) => part.type === "result" && part.id === id);
}

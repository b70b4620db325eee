import { MESSAGE_PREFIX } from "../../core/message-prefix.ts";
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

/** The calls of an answer. */
export function callsAround(entries: readonly Entry[], at: number): CallPart[] {
  return at < 0 ? [] : answerAround(entries, at).filter((part) => part.type === "call");
}

/** The calls of the latest answer that have no result yet. Only results behind it count: an earlier call may have had the same id. */
export function openCallsOf(entries: readonly Entry[]): CallPart[] {
  const last = entries.findLastIndex(({ isModel }) => isModel);
  const results = entries.slice(last + 1).flatMap(({ parts }) => parts.filter(({ type }) => type === "result"));
  return callsAround(entries, last).filter((call) => {
    const at = results.findIndex((result) => "id" in result && result.id === call.id);
    if (at >= 0) results.splice(at, 1);
    return at < 0;
  });
}

/** Whether an entry is the result of a call. */
function hasResult({ parts }: Entry, id: string): boolean {
  return parts.some((part) => part.type === "result" && part.id === id);
}

/** Whether words of ours stand behind an entry, before the model answers again: then it was told. */
export function isTold(entries: readonly Entry[], at: number): boolean {
  const length = entries.slice(at + 1).findIndex((_, next) => isStartOfAnswer(entries, at + 1 + next));
  return entries.slice(at, length < 0 ? undefined : at + 1 + length).some(hasOurWords);
}

/** Whether somebody put words of ours there: they begin a text, or stand behind a blank line. */
export function hasOurWords({ parts }: Entry): boolean {
  return parts.some(isOurs);
}

function isOurs(part: Part): boolean {
  if (part.type === "user") return part.text.startsWith(MESSAGE_PREFIX);
  const output = part.type === "result" ? JSON.stringify(part.output) : undefined;
  return (
    output !== undefined && [`"${MESSAGE_PREFIX} `, `\\n\\n${MESSAGE_PREFIX} `].some((sign) => output.includes(sign))
  );
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

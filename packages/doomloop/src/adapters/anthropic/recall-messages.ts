import { MESSAGE_PREFIX } from "../../core/reading/result.ts";
import { appendWords } from "../../host/append-words.ts";
import type { HostOptions } from "../../host/host-options.ts";
import type { HostRun, Recalled } from "../../host/host-run.ts";
import { isUserAfterResult, type Spoken } from "../../host/is-user-after-result.ts";
import { keeperOf } from "../../host/kept-guard.ts";
import { hasOwnWords, isRefusal, withoutOwnWords } from "../../host/own-words.ts";
import type { BlockLike, MessageParamLike } from "./messages.ts";
import { observeMessage } from "./observe-message.ts";

/** A message of a stored conversation, in blocks. */
interface Entry {
  readonly isModel: boolean;
  readonly blocks: readonly BlockLike[];
  readonly results: readonly BlockLike[];
  /** What the user says in it; undefined if the user does not speak. */
  readonly said: string | undefined;
}

/**
 * Reports the conversation of another process to a run. Its results show what the model was told: if they contain words of ours, those were
 * said. Open calls at the end are left out, because they are still to be made. Returns the words that are due.
 */
export function recallMessages(messages: readonly MessageParamLike[], run: HostRun): string | undefined {
  const entries = readEntries(messages);
  const due: string[] = [];
  for (const [at, entry] of entries.entries()) {
    const how = recalledAt(entries, at);
    run.recall(how, () => {
      if (entry.isModel) recallAnswer(entries, at, run);
      const words = recallResults(entry, run);
      if (entry.said !== undefined) run.user(entry.said);
      else if (how === "due") due.push(...words);
    });
  }
  return due.join("\n\n") || undefined;
}

/** Whether a guard of the caller's has already observed this run. If the conversation were reported to it, all of it would count twice. */
export function isKnownTo(guard: HostOptions["guard"]): boolean {
  if (guard === undefined) return false;
  return keeperOf(guard)?.saved("run") !== undefined || guard.stats().checks > 0;
}

/** Appends words to the last result of a list, in a copy of its message. Returns whether they fit. */
export function appendToLastResult(messages: MessageParamLike[], words: string): boolean {
  const at = messages.findLastIndex(hasResults);
  const { role, content } = messages[at] ?? {};
  if (role === undefined || !Array.isArray(content)) return false;
  const blocks: BlockLike[] = [...content];
  const last = blocks.findLastIndex(isResult);
  const spoken = appendWords(blocks[last]!.content ?? "", words);
  if (spoken === undefined) return false;
  blocks[last] = { ...blocks[last]!, content: spoken };
  messages[at] = { role, content: blocks };
  return true;
}

/** Whether a message answers calls. */
export function hasResults({ content }: MessageParamLike): boolean {
  return Array.isArray(content) && (content as readonly BlockLike[]).some(isResult);
}

function recallAnswer(entries: readonly Entry[], at: number, run: HostRun): void {
  const { blocks } = entries[at]!;
  run.round();
  // An answer that continues in the next message was paused.
  observeMessage(
    { role: "assistant", content: blocks, stop_reason: entries[at + 1]?.isModel ? "pause_turn" : null },
    run,
  );
  const results = messagesAfter(entries, at).flatMap((entry) => entry.results);
  for (const { type, id, name, input } of blocks) {
    if (type !== "tool_use" || id === undefined || name === undefined) continue;
    const result = results.find(({ tool_use_id }) => tool_use_id === id);
    if (result !== undefined || hasLaterAnswer(entries, at))
      run.call({ id, tool: name, args: input, hasRun: !isRefusal(result?.content) });
  }
}

function recallResults({ results }: Entry, run: HostRun): string[] {
  return results.flatMap(({ tool_use_id: id = "", content, is_error }) => {
    const output = withoutOwnWords(content);
    return run.result({ id, output, error: is_error === true, isRefusal: isRefusal(content) }) ?? [];
  });
}

/** Words come with the next result, so for an answer without a result they are found later. */
function recalledAt(entries: readonly Entry[], at: number): Recalled {
  for (let turn = startOfTurn(entries, at); turn < entries.length; turn++) {
    const { isModel, results, said } = entries[turn]!;
    if (said !== undefined) return "untold";
    if (isModel || results.length === 0) continue;
    const isTold = results.some(({ content }) => hasOwnWords(content));
    if (!hasLaterAnswer(entries, turn)) return isTold ? "told" : "due";
    return isTold || results.some(({ content }) => isRefusal(content)) ? "told" : "untold";
  }
  return "due";
}

function startOfTurn(entries: readonly Entry[], at: number): number {
  return Math.max(
    0,
    entries.slice(0, at + 1).findLastIndex(({ isModel }) => isModel),
  );
}

function hasLaterAnswer(entries: readonly Entry[], at: number): boolean {
  return entries.slice(at + 1).some(({ isModel }) => isModel);
}

/** The messages between an answer of the model and its next answer. */
function messagesAfter(entries: readonly Entry[], at: number): readonly Entry[] {
  const after = entries.slice(at + 1);
  const next = after.findIndex(({ isModel }) => isModel);
  return next < 0 ? after : after.slice(0, next);
}

function readEntries(messages: readonly MessageParamLike[]): Entry[] {
  const spoken: Spoken[] = [];
  return messages.map(({ role, content = [] }) => {
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : (content as readonly BlockLike[]);
    if (role === "assistant") {
      spoken.push({ by: "other", content: undefined });
      return { isModel: true, blocks, results: [], said: undefined };
    }
    const results = blocks.filter(isResult);
    const text = blocks.map((block) => (block.type === "text" ? (block.text ?? "") : "")).join("");
    if (results.length > 0) spoken.push({ by: "result", content: undefined });
    if (role !== "user" || text === "" || text.startsWith(MESSAGE_PREFIX))
      return { isModel: false, blocks, results, said: undefined };
    spoken.push({ by: "user", content: text });
    const isAfterResult = spoken.findLast(({ by }) => by !== "user")?.by === "result";
    const isUser = !isAfterResult || isUserAfterResult(spoken);
    return { isModel: false, blocks, results, said: isUser ? text : undefined };
  });
}

function isResult({ type }: BlockLike): boolean {
  return type === "tool_result";
}

import { MESSAGE_PREFIX } from "../../core/message-prefix.ts";
import { appendWords } from "../../host/append-words.ts";
import type { HostRun, Recalled } from "../../host/host-run.ts";
import { isUserBehindResult, type Spoken } from "../../host/is-user-behind-result.ts";
import { hasOwnWords, isRefusal, withoutOwnWords } from "../../host/own-words.ts";
import type { BlockLike, MessageParamLike } from "./messages.ts";
import { observeMessage } from "./observe-message.ts";

/** A message of a conversation that comes back, in blocks, with what was said until then. */
interface Entry {
  readonly isModel: boolean;
  readonly blocks: readonly BlockLike[];
  readonly results: readonly BlockLike[];
  /** What the user says in it; undefined where nobody but the loop speaks. */
  readonly said: string | undefined;
}

/**
 * Tells a run of a conversation that another process has led. Its results show what the model was told: words of ours in them have been
 * said. Open calls at the end are left out: they are yet to be made. Returns the words that are due.
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

/** Appends words to the last result of a list, in a copy of its message; returns whether they fit. */
export function sayInLastResult(messages: MessageParamLike[], words: string): boolean {
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
  return typeof content !== "string" && (content as readonly BlockLike[]).some(isResult);
}

function recallAnswer(entries: readonly Entry[], at: number, run: HostRun): void {
  const { blocks } = entries[at]!;
  run.round();
  // An answer that goes on in the next message was paused.
  observeMessage(
    { role: "assistant", content: blocks, stop_reason: entries[at + 1]?.isModel ? "pause_turn" : null },
    run,
  );
  const results = turnBehind(entries, at).flatMap((entry) => entry.results);
  for (const { type, id, name, input } of blocks) {
    if (type !== "tool_use" || id === undefined || name === undefined) continue;
    const result = results.find(({ tool_use_id }) => tool_use_id === id);
    if (result !== undefined || hasAnswerBehind(entries, at))
      run.call({ id, tool: name, args: input, hasRun: !isRefusal(result?.content) });
  }
}

function recallResults({ results }: Entry, run: HostRun): string[] {
  return results.flatMap(({ tool_use_id: id = "", content, is_error }) => {
    const output = withoutOwnWords(content);
    return run.result({ id, output, error: is_error ?? undefined, isRefusal: isRefusal(content) }) ?? [];
  });
}

/** Words go with the next result, so what was told about an answer without one is seen later. */
function recalledAt(entries: readonly Entry[], at: number): Recalled {
  for (let turn = startOfTurn(entries, at); turn < entries.length; turn++) {
    const { isModel, results, said } = entries[turn]!;
    if (said !== undefined) return "untold";
    if (isModel || results.length === 0) continue;
    const isTold = results.some(({ content }) => hasOwnWords(content));
    if (!hasAnswerBehind(entries, turn)) return isTold ? "told" : "due";
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

function hasAnswerBehind(entries: readonly Entry[], at: number): boolean {
  return entries.slice(at + 1).some(({ isModel }) => isModel);
}

/** What was said and answered behind an answer of the model, until its next. */
function turnBehind(entries: readonly Entry[], at: number): readonly Entry[] {
  const behind = entries.slice(at + 1);
  const next = behind.findIndex(({ isModel }) => isModel);
  return next < 0 ? behind : behind.slice(0, next);
}

function readEntries(messages: readonly MessageParamLike[]): Entry[] {
  const spoken: Spoken[] = [];
  return messages.map(({ role, content }) => {
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : (content as readonly BlockLike[]);
    if (role === "assistant") {
      spoken.push({ by: "other", content: undefined });
      return { isModel: true, blocks, results: [], said: undefined };
    }
    const results = blocks.filter(isResult);
    const text = blocks.map((block) => (block.type === "text" ? (block.text ?? "") : "")).join("");
    if (results.length > 0) spoken.push({ by: "result", content: undefined });
    if (text === "" || text.startsWith(MESSAGE_PREFIX)) return { isModel: false, blocks, results, said: undefined };
    spoken.push({ by: "user", content: text });
    const isBehindResult = spoken.findLast(({ by }) => by !== "user")?.by === "result";
    const isUser = !isBehindResult || isUserBehindResult(spoken);
    return { isModel: false, blocks, results, said: isUser ? text : undefined };
  });
}

function isResult({ type }: BlockLike): boolean {
  return type === "tool_result";
}

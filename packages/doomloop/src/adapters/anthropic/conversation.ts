import { appendToError, appendWords } from "../../host/append-words.ts";
import type { HostOptions } from "../../host/host-options.ts";
import type { RefusedCall } from "../../host/host-run.ts";
import { createHostRuns } from "../../host/host-runs.ts";
import { latestUserText } from "../../host/user-text.ts";
import { noteRun } from "./loop-stop.ts";
import type { MessageLike, MessageParamLike, ToolResultLike, ToolUseLike } from "./messages.ts";
import { observeMessage } from "./observe-message.ts";
import { appendToLastResult, isKnownTo, recallMessages } from "./recall-messages.ts";

/** The answer to a call that was not run. */
interface BlockedResult {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content: string;
  readonly is_error: true;
  /**
   * `block` if only the call was refused, `stop` if the run was ended with it. Only refused calls have it: `"action" in result`. It is
   * for your code. It is not enumerable and so not sent, because the API rejects unknown fields.
   */
  readonly action: "block" | "stop";
}

/** A conversation of a hand-written loop. When the guard has ended it, `loopStop` says so: leave the loop when all calls are answered. */
export interface Conversation {
  /** Call it with each answer of the model, before its calls are run. */
  message(message: MessageLike): void;
  /**
   * Runs a call, unless it is blocked. `action` returns its `tool_result`. If there are words, they are appended to the content of that result.
   * If `action` throws, the same error is thrown; if there are words, an error that inherits from it and has them in its message. If
   * nothing reads that message, the words come with the next result.
   */
  call<Result extends ToolResultLike>(
    toolUse: ToolUseLike,
    action: () => Result | PromiseLike<Result>,
  ): Promise<Result | BlockedResult>;
  /** The user has spoken again. This takes back an end. */
  user(text?: string): void;
}

/** Follows a conversation of a hand-written loop, from the messages that it has so far. */
export function createConversation(messages: MessageParamLike[], options: HostOptions = {}): Conversation {
  const runs = createHostRuns(options, { nudge: "result", block: true, stop: "clean" });
  const run = runs.start();
  /** Words in errors whose message nothing has read. */
  const unread = new Set<string>();

  const errorWith = (error: unknown, words: string | undefined): unknown => {
    if (words === undefined) return error;
    const spoken = runs.withFallback(undefined, () => appendToError(error, words, () => void unread.delete(words)));
    if (spoken === undefined) run.hold(words);
    else if (spoken instanceof Error) unread.add(words);
    return spoken ?? error;
  };

  const resume = (): void => {
    if (messages.length === 0) return;
    const isBegun = messages.some(({ role }) => role === "assistant");
    if (!isBegun) runs.beginConversation(run, latestUserText(messages));
    if (isKnownTo(options.guard)) return;
    const words = recallMessages(messages, run);
    if (words !== undefined && !runs.withFallback(false, () => appendToLastResult(messages, words))) run.hold(words);
  };

  const conversation: Conversation = {
    message(message) {
      for (const words of unread) run.hold(words);
      unread.clear();
      run.round();
      try {
        observeMessage(message, run);
      } catch (fault) {
        runs.reportFault(fault);
      }
    },
    async call<Result extends ToolResultLike>(toolUse: ToolUseLike, action: () => Result | PromiseLike<Result>) {
      const { id, name, input } = toolUse;
      const answer = run.call({ id: id || undefined, tool: name, args: input });
      if (answer.action !== "run") return blockedResult(id, answer);
      let result: Result;
      try {
        result = await action();
      } catch (error) {
        const output = error instanceof Error ? error.message : error;
        throw errorWith(error, run.result({ id: answer.id, output, error: true }));
      }
      const words = run.result({ id: answer.id, output: result?.content, error: result?.is_error === true });
      if (words === undefined) return result;
      const content = appendWords(result?.content ?? "", words);
      if (content === undefined) run.hold(words);
      return content === undefined ? result : { ...result, content };
    },
    user: (text) => run.user(text),
  };
  runs.withFallback(undefined, resume);
  noteRun(conversation, run);
  return conversation;
}

function blockedResult(id: string, { message, action }: RefusedCall): BlockedResult {
  const sent = { type: "tool_result", tool_use_id: id, content: message, is_error: true } as const;
  return Object.defineProperty(sent, "action", { value: action }) as typeof sent & { action: RefusedCall["action"] };
}

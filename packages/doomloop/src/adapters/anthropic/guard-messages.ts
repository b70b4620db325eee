import { appendToError } from "../../host/append-to-error.ts";
import { appendWords } from "../../host/append-words.ts";
import type { HostOptions, LoopStop } from "../../host/host-options.ts";
import type { RefusedCall } from "../../host/host-run.ts";
import { createHostRuns } from "../../host/host-runs.ts";
import { keeperOf } from "../../host/kept-guard.ts";
import type { MessageLike, MessageParamLike, ToolResultLike, ToolUseLike } from "./messages.ts";
import { observeMessage } from "./observe-message.ts";
import { recallMessages, sayInLastResult } from "./recall-messages.ts";

/** What a call is answered with that was not run. */
export interface BlockedResult {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content: string;
  readonly is_error: true;
  /**
   * Whether the call alone was refused, or the run was ended with it. Only refused calls have it: `"action" in result`. It is
   * for your code and not enumerable, so it is not sent: the API takes no field that it does not know.
   */
  readonly action: "block" | "stop";
}

/** The guard of one conversation in a loop of your own. */
export interface MessagesGuard {
  /** Tell of each answer of the model, before its calls are run. */
  message(message: MessageLike): void;
  /**
   * Runs a call, unless it is blocked. `action` makes its `tool_result`, which is given back with words behind its content if
   * there are any. What `action` throws is thrown as it is; if there are words, as an error that inherits from it and has them in its
   * message. If nobody reads that message, they come with the next result.
   */
  call<Result extends ToolResultLike>(
    toolUse: ToolUseLike,
    action: () => Result | PromiseLike<Result>,
  ): Promise<Result | BlockedResult>;
  /**
   * Goes on with a conversation that another process has led, as that process would: call it once, before anything else. The list shows
   * what the model was told. Words that are due are written into its last result. A guard from a store that knows the run needs no list.
   */
  resume(messages: MessageParamLike[]): void;
  /** The user has spoken again. It takes back an end. */
  user(text?: string): void;
  /** The end of the run, once it was decided: leave the loop when all calls of the answer are answered. */
  readonly stopped: LoopStop | undefined;
}

/**
 * Guards a hand-written loop over `client.messages.create` or `stream`. One guard is for one conversation.
 *
 * Throws a `DoomloopError` for options that make no sense; nothing throws after that.
 */
export function guardMessages(options: HostOptions = {}): MessagesGuard {
  const runs = createHostRuns(options, { nudge: "result", block: true, stop: "clean" });
  const run = runs.start();
  /** Words that went with an error whose message nobody has read. */
  const unread = new Set<string>();

  const tellWith = (error: unknown, words: string | undefined): unknown => {
    if (words === undefined) return error;
    const spoken = runs.safely(undefined, () => appendToError(error, words, () => void unread.delete(words)));
    if (spoken === undefined) run.hold(words);
    else if (spoken instanceof Error) unread.add(words);
    return spoken ?? error;
  };

  return {
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
        const output = runs.safely("", () => String(error));
        throw tellWith(error, run.result({ id: answer.id, output, error: true }));
      }
      const words = run.result({ id: answer.id, output: result?.content, error: result?.is_error });
      if (words === undefined) return result;
      const content = appendWords(result?.content ?? "", words);
      if (content === undefined) run.hold(words);
      return content === undefined ? result : { ...result, content };
    },
    resume(messages) {
      if (keeperOf(options.guard)?.saved("run") !== undefined) return;
      const words = runs.safely(undefined, () => recallMessages(messages, run));
      if (words !== undefined && !runs.safely(false, () => sayInLastResult(messages, words))) run.hold(words);
    },
    user: (text) => run.user(text),
    get stopped() {
      return run.stopped();
    },
  };
}

function blockedResult(id: string, { message, action }: RefusedCall): BlockedResult {
  const sent = { type: "tool_result", tool_use_id: id, content: message, is_error: true } as const;
  return Object.defineProperty(sent, "action", { value: action }) as typeof sent & { action: RefusedCall["action"] };
}

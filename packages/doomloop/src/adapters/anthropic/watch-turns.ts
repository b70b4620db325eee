import type { HostRun } from "../../host/host-run.ts";
import type { MessageLike, RunnerLike, StreamLike } from "./messages.ts";
import { observeMessage, observeUnknownCalls } from "./observe-message.ts";

interface TurnSettings {
  readonly run: HostRun;
  /** Ends the loop before its next request, with these messages added to the history. */
  end(...answered: readonly object[]): void;
  /** Restores the limit that ended the loop, once the loop is over. */
  restoreLimit(): void;
  isKnown(tool: string): boolean;
  reportFault(fault: unknown): void;
}

/** An answer that the runner has passed to the body of the loop. */
interface Turn {
  readonly value: object;
  message?: MessageLike;
  state: "in body" | "leaving" | "left";
  isTakenOver: boolean;
}

export interface Turns {
  /** Whether the caller is handling an answer now. New parameters would make the runner drop that answer. */
  isInBody(): boolean;
  /** The caller has set the history, so the runner does not answer the calls of this turn. */
  takeOver(): void;
}

/** Watches the answers of a runner, and ends its loop if that was decided while the caller handled one. */
export function watchTurns(runner: RunnerLike, settings: TurnSettings): Turns {
  const { run, end, restoreLimit, isKnown, reportFault } = settings;
  const iterate = runner[Symbol.asyncIterator].bind(runner);
  let turn: Turn | undefined;

  const attempt = async (action: () => unknown): Promise<void> => {
    try {
      await action();
    } catch (fault) {
      reportFault(fault);
    }
  };

  const noteUnknown = ({ message, state, isTakenOver }: Turn): void => {
    if (state === "in body" || isTakenOver || message?.stop_reason !== "tool_use") return;
    observeUnknownCalls(message, run, isKnown);
  };

  const begin = (value: object): void => {
    const begun: Turn = { value, state: "in body", isTakenOver: false };
    const note = (message: MessageLike): void => {
      begun.message = message;
      observeMessage(message, run);
      noteUnknown(begun);
    };
    turn = begun;
    run.round();
    if (isStream(value)) value.on("finalMessage", (message) => attempt(() => note(message)));
    else note(value as MessageLike);
  };

  /** The body is done. If an end was decided in it, the loop ends now, with the answer and its results in the history. */
  const leave = async (left: Turn): Promise<void> => {
    left.state = "leaving";
    noteUnknown(left);
    if (run.stopped() === undefined) return;
    const message = isStream(left.value) ? await left.value.finalMessage() : (left.value as MessageLike);
    if (left.isTakenOver || message.stop_reason !== "tool_use") return end();
    const results = await runner.generateToolResponse();
    end({ role: message.role, content: message.content }, ...(results ? [results] : []));
  };

  const watch = (iterator: AsyncIterator<object>): AsyncIterator<object> => {
    const next = iterator.next.bind(iterator);
    iterator.next = async (...given) => {
      const latest = turn;
      if (latest?.state === "in body") await attempt(() => leave(latest));
      if (latest !== undefined) latest.state = "left";
      const step = await next(...given).catch(async (error: unknown) => {
        await attempt(restoreLimit);
        throw error;
      });
      await attempt(() => (step.done ? restoreLimit() : begin(step.value)));
      return step;
    };
    return iterator;
  };

  const value = (): AsyncIterator<object> => watch(iterate());
  Object.defineProperty(runner, Symbol.asyncIterator, { value, configurable: true, writable: true });
  return {
    isInBody: () => turn !== undefined && turn.state !== "left",
    takeOver() {
      if (turn !== undefined) turn.isTakenOver = true;
    },
  };
}

function isStream(value: object): value is StreamLike {
  return "finalMessage" in value && typeof value.finalMessage === "function";
}

import { setRecent } from "../../core/collections/bounded.ts";
import { appendToText, isJsonText } from "../../host/append-words.ts";
import type { LoopStop } from "../../host/host-options.ts";
import type { CallAnswer, HostRun } from "../../host/host-run.ts";
import { modelValue } from "../../host/model-value.ts";
import { REPORT_REQUEST } from "../../index.ts";
import type { GuardrailAnswer, ItemLike, ToolCallLike } from "./agent.ts";
import { NOT_APPROVED, type RecalledCall, recallHistory } from "./guard-state.ts";
import { noteStop } from "./loop-stop.ts";
import { readHandoff } from "./read-handoff.ts";
import { textOfOutput } from "./text-of-output.ts";

/** The calls of one run, by what the host tells of them: some are told twice, some only when they are over. */
export interface CallWatch {
  readonly run: HostRun;
  /** Before a call runs; with pre-approval guardrails the host asks twice. */
  before(call: ToolCallLike): GuardrailAnswer;
  /** After a call ran. */
  after(call: ToolCallLike, output: unknown): GuardrailAnswer;
  /** Before a human is asked about a call. What to say in the place of it, if nobody is to be asked. */
  asked(call: ToolCallLike): string | undefined;
  /** A human has rejected a call, with a message or without. */
  rejected(call: ToolCallLike, message: string | undefined): void;
  /** Whether a human has rejected a call of this tool. */
  hasRejected(tool: string): boolean;
  /** The end of a call, whatever came of it, in text. */
  ended(call: ToolCallLike, text: string): void;
  /** The run was handed to another agent; with the conversation as that one reads it. */
  handedOff(items: readonly ItemLike[]): void;
  /** What happened in the run before it was restored, unless something is known of it. */
  recall(items: readonly ItemLike[]): void;
  /**
   * What is to be said with the agent's instructions in the next request: about what has no output to speak in, such as a handoff, a
   * rejected call, an image or JSON, or about the end.
   */
  instructions(): string | undefined;
}

/** How a run ends: after the answer's calls, or with an error of the host's at once. */
export type ExitBehavior = "end" | "error";

const MAX_WAITING = 64;

/** Watches the calls of one run. */
export function createCallWatch(run: HostRun, exitBehavior: ExitBehavior): CallWatch {
  /** By the host's object of the call: ids may come again in a later run with the same context. With the guard's id while it runs. */
  const calls = new WeakMap<ToolCallLike, string | undefined>();
  /** Calls that a human is asked about, by the host's id: their objects are others where a run is stored meanwhile. */
  const waiting = new Map<string, CallAnswer>();
  const rejectedTools = new Set<string>();
  /** Since the run is with its agent. An agent that has called something is judged by that, and not by its handoff. */
  let hasCalled = false;
  /** In the whole run. An agent that sends another one to work, again and again, does not go in circles. */
  let called = 0;

  /** Adds the end of the run to what is said about an item of it, once it has ended. */
  const withStop = (item: object, answer: GuardrailAnswer): GuardrailAnswer => {
    const stop = noteEnd(item);
    if (stop === undefined) return answer;
    return exitBehavior === "error"
      ? { behavior: { type: "throwException" }, outputInfo: stop }
      : { ...answer, outputInfo: stop };
  };

  const noteEnd = (item: object): LoopStop | undefined => {
    const stop = run.stopped();
    if (stop !== undefined) noteStop(item, stop);
    return stop;
  };

  const noteCall = (): void => {
    hasCalled = true;
    called++;
  };

  const wordsBehind = (output: unknown, words: string | undefined): GuardrailAnswer => {
    if (words === undefined) return allow();
    const text = textOfOutput(output);
    // Values and JSON stay whole, because programs read them off the run's items: the next request's instructions have the words.
    if (text !== undefined && !isJsonText(text)) return replaceWith(appendToText(text, words));
    run.hold(words);
    return allow();
  };

  const judge = ({ callId: id, name: tool, arguments: args }: ToolCallLike): CallAnswer => {
    noteCall();
    return run.call({ id, tool, args });
  };

  const noteRejection = (tool: string): void => {
    if (rejectedTools.size < MAX_WAITING) rejectedTools.add(tool);
  };

  const takeWaiting = (callId: string): CallAnswer | undefined => {
    const answer = waiting.get(callId);
    waiting.delete(callId);
    return answer;
  };

  const holdResult = (id: string, output: string, error?: boolean): void => {
    const words = run.result({ id, output, error });
    if (words !== undefined) run.hold(words);
  };

  return {
    run,
    before(call) {
      if (calls.get(call) !== undefined) return allow();
      const answer = takeWaiting(call.callId) ?? judge(call);
      calls.set(call, answer.action === "run" ? answer.id : undefined);
      return answer.action === "run" ? allow() : withStop(call, replaceWith(answer.message));
    },
    after(call, output) {
      const id = calls.get(call);
      if (id === undefined) return allow();
      calls.set(call, undefined);
      const words = run.result({ id, output: modelValue(output) });
      return withStop(call, wordsBehind(output, words));
    },
    asked(call) {
      const answer = waiting.get(call.callId) ?? judge(call);
      setRecent(waiting, call.callId, answer, MAX_WAITING);
      return answer.action === "run" ? undefined : answer.message;
    },
    rejected(call, message = NOT_APPROVED) {
      const { callId, name: tool, arguments: args } = call;
      const id = takeWaiting(callId)?.id ?? calls.get(call);
      calls.set(call, undefined);
      noteRejection(tool);
      if (id !== undefined) holdResult(id, message, true);
      else {
        noteCall();
        run.past({ id: callId, tool, args, output: message, error: true });
      }
      noteEnd(call);
    },
    hasRejected: (tool) => rejectedTools.has(tool),
    ended(call, text) {
      const isKnown = calls.has(call);
      const id = calls.get(call);
      noteCall();
      calls.set(call, undefined);
      const { callId, name: tool, arguments: args } = call;
      if (id !== undefined) holdResult(id, text);
      if (!isKnown) run.past({ id: callId, tool, args, output: text });
      noteEnd(call);
    },
    handedOff(items) {
      const handoff = hasCalled ? undefined : readHandoff(items, called);
      hasCalled = false;
      if (handoff !== undefined) run.past(handoff);
      const latest = items.at(-1);
      if (latest !== undefined) noteEnd(latest);
    },
    recall(items) {
      if (called > 0) return;
      const hear = ({ tool, isRejected }: RecalledCall): void => {
        noteCall();
        if (isRejected) noteRejection(tool);
      };
      run.recall("told", () => recallHistory(items, run, hear));
    },
    instructions() {
      const stop = run.stopped();
      return stop === undefined ? run.words() : `${stop.message} ${REPORT_REQUEST}`;
    },
  };
}

/** As if there were no guardrail. A new object each time, because the host keeps it. */
export function allow(): GuardrailAnswer {
  return { behavior: { type: "allow" } };
}

export function replaceWith(message: string): GuardrailAnswer {
  return { behavior: { type: "rejectContent", message } };
}

import { setRecent } from "../../core/collections/bounded.ts";
import { appendToText, isJsonText } from "../../host/append-words.ts";
import type { LoopStop } from "../../host/host-options.ts";
import type { CallAnswer, HostCall, HostResult, HostRun } from "../../host/host-run.ts";
import { REPORT_REQUEST } from "../../index.ts";
import type { GuardrailAnswer, ItemLike, ToolCallLike } from "./agent.ts";
import { callsIn, NOT_APPROVED, type RestoredRun, recallHistory } from "./restored-run.ts";
import { noteStop } from "./run-end.ts";
import { readOutput, textOfOutput } from "./text-of-output.ts";

/** Watches the calls of one run. The SDK reports some calls twice, and some only when they are over. */
export interface CallWatch {
  readonly run: HostRun;
  /** Before a call runs. With pre-approval guardrails, the SDK asks twice. */
  before(call: ToolCallLike): GuardrailAnswer;
  /** After a call ran. */
  after(call: ToolCallLike, output: unknown): GuardrailAnswer;
  /** Before a human is asked about a call. Returns the words that replace the call, if it is refused. */
  asked(call: ToolCallLike): string | undefined;
  /** A human has rejected a call, with a message or without. */
  rejected(call: ToolCallLike, message: string | undefined): void;
  /** Whether a human has rejected a call of this tool. */
  hasRejected(tool: string): boolean;
  /** A call has ended, with its result as text. */
  ended(call: ToolCallLike, text: string): void;
  /** The run was handed to another agent. `items` is the conversation as that agent reads it. */
  handedOff(items: readonly ItemLike[]): void;
  /** Reports the history of a restored run, unless the run is already known. */
  recall(restored: RestoredRun): void;
  /**
   * Words for the agent's instructions in the next request: about calls whose output cannot carry words (a handoff, a rejected call, an
   * image, JSON), or about the end.
   */
  instructions(): string | undefined;
}

/** How a run ends: after the calls of the answer, or at once with an error of the SDK. */
export type ExitBehavior = "end" | "error";

const MAX_WAITING = 64;

/** @param isKept whether a guard store has kept what the run's guard knows, so that the history of a restored run is not news */
export function createCallWatch(run: HostRun, exitBehavior: ExitBehavior, isKept: boolean): CallWatch {
  /** The guard's id of each running call, by the SDK's call object. Ids are not enough, because a later run in the same context may repeat them. */
  const calls = new WeakMap<ToolCallLike, string | undefined>();
  /** Calls that a human is asked about, by the SDK's id. If the run is stored meanwhile, the objects change. */
  const waiting = new Map<string, CallAnswer>();
  const rejectedTools = new Set<string>();
  /** Whether the current agent has called anything. Such an agent is judged by its calls, not by its handoff. */
  let hasCalled = false;
  /** The number of calls in the whole run. An agent that keeps sending another one to work does not loop. */
  let called = 0;

  /** Adds the end of the run to the answer about an item, once the run has ended. */
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

  const outputWithWords = (output: unknown, words: string | undefined): GuardrailAnswer => {
    if (words === undefined) return allow();
    const text = textOfOutput(output);
    // Values and JSON stay unchanged, because programs read them from the run's items. The words go into the next request's instructions.
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
      const words = run.result({ id, output: readOutput(output) });
      return withStop(call, outputWithWords(output, words));
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
    recall({ items, isNewAnswer }) {
      if (called > 0) return;
      for (const { tool, isRejected } of callsIn(items)) {
        noteCall();
        if (isRejected) noteRejection(tool);
      }
      if (isKept) return;
      recallHistory(items, run);
      if (isNewAnswer) run.round();
    },
    instructions() {
      const stop = run.stopped();
      return stop === undefined ? run.words() : `${stop.message} ${REPORT_REQUEST}`;
    },
  };
}

/** As if there were no guardrail. A new object each time, because the SDK keeps it. */
export function allow(): GuardrailAnswer {
  return { behavior: { type: "allow" } };
}

export function replaceWith(message: string): GuardrailAnswer {
  return { behavior: { type: "rejectContent", message } };
}

/** Handoffs are judged only in a conversation of these items. Anything else is work that no hook saw. */
const SEEN = ["message", "reasoning", "function_call", "function_call_result"];

/**
 * The handoff at the end of a conversation, as a call. Undefined if we cannot tell: the server keeps the conversation, a filter has changed
 * it, or it contains work that we did not see.
 *
 * The arguments include what the agent said, because agents that pass drafts to each other do not loop, and the number of calls in the
 * run so far. The SDK's answer is only the name of the next agent. It proves nothing about the handoff, so it is left out.
 */
function readHandoff(items: readonly ItemLike[], calls: number): (HostCall & Omit<HostResult, "id">) | undefined {
  const result = items.at(-1);
  if (result?.type !== "function_call_result" || !items.every(isSeen)) return undefined;
  const at = items.findLastIndex(({ type, callId }) => type === "function_call" && callId === result.callId);
  const { name: tool, arguments: input } = items[at] ?? {};
  if (tool === undefined) return undefined;
  return { tool, args: { input, said: saidBefore(items, at), calls }, output: "", readOnly: true };
}

function isSeen({ type = "message" }: ItemLike): boolean {
  return SEEN.includes(type);
}

/** The words of an answer before one of its calls. */
function saidBefore(items: readonly ItemLike[], at: number): unknown[] {
  const start = items.findLastIndex(({ type, role }, index) => {
    return index < at && (type === "function_call_result" || role === "user" || role === "system");
  });
  return items
    .slice(start + 1, at)
    .flatMap(({ content }) => (Array.isArray(content) ? content.map(textOf) : [content]));
}

function textOf(part: { text?: unknown } | null): unknown {
  return part?.text;
}

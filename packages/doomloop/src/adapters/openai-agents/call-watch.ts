import { appendWords } from "../../host/append-words.ts";
import type { LoopStop } from "../../host/host-options.ts";
import type { HostRun } from "../../host/host-run.ts";
import { modelValue } from "../../host/model-value.ts";
import { REPORT_REQUEST } from "../../index.ts";
import type { GuardrailAnswer, ItemLike, ToolCallLike } from "./agent.ts";
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
  /** The end of a call, whatever came of it, in text. */
  ended(call: ToolCallLike, text: string): void;
  /** The run was handed to another agent; with the conversation as that one reads it. */
  handedOff(items: readonly ItemLike[]): void;
  /** What is to be said with the agent's instructions in the next request: of a handoff, which has no output to speak in, or of the end. */
  instructions(): string | undefined;
}

/** How a run ends: after the answer's calls, or with an error of the host's at once. */
export type ExitBehavior = "end" | "error";

/** Watches the calls of one run. */
export function createCallWatch(run: HostRun, exitBehavior: ExitBehavior): CallWatch {
  /** By the host's object of the call: ids may come again in a later run with the same context. With the guard's id while it runs. */
  const calls = new WeakMap<ToolCallLike, string | undefined>();
  let isAfterHandoff = false;
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
    if (text !== undefined) return replaceWith(appendWords(text, words) as string);
    run.hold(words);
    return allow();
  };

  return {
    run,
    before(call) {
      if (calls.get(call) !== undefined) return allow();
      noteCall();
      const { callId: id, name: tool, arguments: args } = call;
      const answer = run.call({ id, tool, args });
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
    ended(call, text) {
      const isKnown = calls.has(call);
      const id = calls.get(call);
      noteCall();
      calls.set(call, undefined);
      const { callId, name: tool, arguments: args } = call;
      const words = id === undefined ? undefined : run.result({ id, output: text });
      if (words !== undefined) run.hold(words);
      if (!isKnown) run.past({ id: callId, tool, args, output: text });
      noteEnd(call);
    },
    handedOff(items) {
      isAfterHandoff = true;
      const handoff = hasCalled ? undefined : readHandoff(items, called);
      hasCalled = false;
      if (handoff !== undefined) run.past(handoff);
      const latest = items.at(-1);
      if (latest !== undefined) noteEnd(latest);
    },
    instructions() {
      const isHandedOff = isAfterHandoff;
      isAfterHandoff = false;
      const stop = run.stopped();
      if (stop !== undefined) return `${stop.message} ${REPORT_REQUEST}`;
      return isHandedOff ? run.words() : undefined;
    },
  };
}

/** As if there were no guardrail. A new object each time, because the host keeps it. */
export function allow(): GuardrailAnswer {
  return { behavior: { type: "allow" } };
}

function replaceWith(message: string): GuardrailAnswer {
  return { behavior: { type: "rejectContent", message } };
}

import { appendWords } from "../host/append-words.ts";
import type { LoopStop } from "../host/host-options.ts";
import type { HostRun } from "../host/host-run.ts";
import type { GuardrailAnswer, ItemLike, ToolCallLike } from "./agent.ts";
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
  /** What is to be said with the agent's instructions in the next request: only of a handoff, which has no output to speak in. */
  instructions(): string | undefined;
  /** What the run gives as its final output, once it is to end. */
  finalOutput(): string | undefined;
}

/** Watches the calls of one run. */
export function createCallWatch(run: HostRun, finalOutputOf: (stop: LoopStop) => string): CallWatch {
  /** By the host's object of the call: ids may come again in a later run with the same context. With the guard's id while it runs. */
  const calls = new WeakMap<ToolCallLike, string | undefined>();
  let isAfterHandoff = false;
  /** Since the run is with its agent. An agent that has called something is judged by that, and not by its handoff. */
  let hasCalled = false;

  return {
    run,
    before(call) {
      if (calls.get(call) !== undefined) return allow();
      hasCalled = true;
      const { callId: id, name: tool, arguments: args } = call;
      const answer = run.call({ id, tool, args });
      calls.set(call, answer.action === "run" ? answer.id : undefined);
      return answer.action === "run" ? allow() : replaceWith(answer.message);
    },
    after(call, output) {
      const id = calls.get(call);
      if (id === undefined) return allow();
      calls.set(call, undefined);
      const words = run.result({ id, output });
      if (words === undefined) return allow();
      const text = textOfOutput(output);
      if (text !== undefined) return replaceWith(appendWords(text, words) as string);
      run.hold(words);
      return allow();
    },
    ended(call, text) {
      const isKnown = calls.has(call);
      const id = calls.get(call);
      hasCalled = true;
      calls.set(call, undefined);
      const { callId, name: tool, arguments: args } = call;
      if (!isKnown) return run.past({ id: callId, tool, args, output: text });
      const words = id === undefined ? undefined : run.result({ id, output: text });
      if (words !== undefined) run.hold(words);
    },
    handedOff(items) {
      isAfterHandoff = true;
      const handoff = hasCalled ? undefined : readHandoff(items);
      hasCalled = false;
      if (handoff !== undefined) run.past(handoff);
    },
    instructions() {
      if (!isAfterHandoff) return undefined;
      isAfterHandoff = false;
      return run.stopped()?.message ?? run.words();
    },
    finalOutput() {
      const stop = run.stopped();
      return stop && finalOutputOf(stop);
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

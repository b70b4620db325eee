import { appendWords } from "../host/append-words.ts";
import type { HostRun } from "../host/host-run.ts";
import type { GuardrailAnswer, ToolCallLike } from "./agent.ts";
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
  /** A run starts with the context of this one: the user's next words, unless a tool of this run has started it. */
  startedAgain(): void;
}

const MAX_CALLS = 1000;

/** Watches the calls of one run. */
export function createCallWatch(run: HostRun): CallWatch {
  const calls = new Map<string, "open" | "over">();

  const note = (id: string, state: "open" | "over"): void => {
    calls.delete(id);
    calls.set(id, state);
    if (calls.size > MAX_CALLS) calls.delete(calls.keys().next().value!);
  };

  return {
    run,
    before({ callId: id, name: tool, arguments: args }) {
      if (calls.get(id) === "open") return allow();
      const answer = run.call({ id, tool, args });
      note(id, answer.action === "run" ? "open" : "over");
      return answer.action === "run" ? allow() : replaceWith(answer.message);
    },
    after({ callId: id }, output) {
      if (calls.get(id) !== "open") return allow();
      note(id, "over");
      const words = run.result({ id, output });
      if (words === undefined) return allow();
      const text = textOfOutput(output);
      if (text !== undefined) return replaceWith(appendWords(text, words) as string);
      run.hold(words);
      return allow();
    },
    ended({ callId: id, name: tool, arguments: args }, text) {
      const state = calls.get(id);
      note(id, "over");
      if (state === undefined) return run.past({ id, tool, args, output: text });
      const words = state === "open" ? run.result({ id, output: text }) : undefined;
      if (words !== undefined) run.hold(words);
    },
    startedAgain() {
      const isNested = [...calls.values()].some((state) => state === "open");
      if (!isNested || run.stopped() !== undefined) run.user();
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

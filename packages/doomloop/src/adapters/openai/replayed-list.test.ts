import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  arbitraryConversation,
  type ScriptedCall,
  type ScriptedTurn,
} from "../../../../../test/arbitrary-conversation.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { createGuard, type Guard, type GuardOptions } from "../../index.ts";
import { guard, loopStop, type Observe } from "./guard.ts";

/** Writes what happens in a wire format. */
interface Format {
  answer(turn: Extract<ScriptedTurn, { by: "model" }>): object[];
  result(call: ScriptedCall): object;
  idOf(call: object): string;
}

const contentOf = (output: string, isParts: boolean, type: string): unknown =>
  isParts ? [{ type, text: output }] : output;

const completions: Format = {
  answer({ text, thoughts, calls }) {
    const tool_calls = calls.map(({ id, tool, args }) => ({
      id,
      type: "function",
      function: { name: tool, arguments: JSON.stringify(args) },
    }));
    const content = text === "" ? null : text;
    return [
      {
        role: "assistant",
        content,
        ...(thoughts !== "" && { reasoning_content: thoughts }),
        ...(calls.length > 0 && { tool_calls }),
      },
    ];
  },
  result: ({ id, output, isParts }) => ({
    role: "tool",
    tool_call_id: id,
    content: contentOf(output, isParts, "text"),
  }),
  idOf: (call) => (call as { id: string }).id,
};

const responses: Format = {
  answer: ({ text, thoughts, calls }) => [
    ...(thoughts === "" ? [] : [{ type: "reasoning", summary: [{ type: "summary_text", text: thoughts }] }]),
    ...(text === "" ? [] : [{ type: "message", role: "assistant", content: [{ type: "output_text", text }] }]),
    ...calls.map(({ id, tool, args }) => ({
      type: "function_call",
      call_id: id,
      name: tool,
      arguments: JSON.stringify(args),
    })),
  ],
  result: ({ id, output, isParts }) => ({
    type: "function_call_output",
    call_id: id,
    output: contentOf(output, isParts, "input_text"),
  }),
  idOf: (call) => (call as { call_id: string }).call_id,
};

/** A list does not show times, so the guard gets none here. */
function timeless(options: GuardOptions): Guard {
  const own = createGuard(options);
  return { ...own, observe: (event) => own.observe({ ...event, ...("at" in event && { at: undefined }) }) };
}

const newProcess = (list: object[], options: GuardOptions): Observe<object> =>
  guard(list, { ...options, createGuard: timeless });

const copyOf = (list: readonly object[]): object[] => JSON.parse(JSON.stringify(list)) as object[];

/** What a process does with a list: what it says and refuses, and whether it ends the run. As text that is easy to compare. */
function seen(observe: Observe<object>, list: object[]): string {
  return JSON.stringify([observe(list), loopStop(observe), list]);
}

/** Plays a conversation in one process. At each request and each answer, a new process gets the list and must decide the same. */
function live(turns: readonly ScriptedTurn[], format: Format, options: GuardOptions): void {
  const list: object[] = [];
  const observe = newProcess(list, options);
  let isOver = false;
  for (const turn of turns) {
    if (turn.by === "user") isOver = false;
    if (isOver) continue;
    if (turn.by !== "model") {
      list.push({ role: turn.by === "user" ? "user" : "developer", content: turn.text });
      continue;
    }
    const copy = copyOf(list);
    const request = newProcess(copy, options);
    const before = seen(request, copy);
    expect(before).toBe(seen(observe, list));
    isOver = loopStop(observe) !== undefined;
    if (isOver) continue;
    const answer = format.answer(turn);
    list.push(...answer);
    copy.push(...answer);
    const other = copyOf(list);
    const late = seen(newProcess(other, options), other);
    const after = seen(observe, list);
    expect(seen(request, copy)).toBe(after);
    expect(late).toBe(after);
    const { calls } = observe();
    isOver = loopStop(observe) !== undefined;
    const waiting = [...turn.calls];
    for (const call of calls) {
      const at = waiting.findIndex(({ id }) => id === format.idOf(call));
      list.push(format.result(waiting.splice(at, 1)[0]!));
    }
  }
}

const settings = fc.constantFrom<GuardOptions>(
  { levels: { told: 3, refused: 5, ended: 6 } },
  {},
  { preset: "aggressive" },
);

describe("a list that resumes in a new process", () => {
  it.each([
    ["Chat Completions", completions],
    ["Responses", responses],
  ])("is answered as in the original process, in %s", (_name, format) => {
    fc.assert(
      fc.property(arbitraryConversation(), settings, (turns, options) => live(turns, format, options)),
      { numRuns: Math.ceil(propertyRuns() / 10) },
    );
  });
});

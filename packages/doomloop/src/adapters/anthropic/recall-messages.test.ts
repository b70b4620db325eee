import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryConversation, type ScriptedTurn } from "../../../../../test/arbitrary-conversation.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { createGuard, type Guard, type GuardOptions } from "../../index.ts";
import type { Conversation } from "./conversation.ts";
import { guard } from "./guard.ts";
import { loopStop } from "./loop-stop.ts";
import type { MessageParamLike } from "./messages.ts";

type Answer = Extract<ScriptedTurn, { by: "model" }>;

/** A list does not show times, so the guard gets none here. */
function timeless(options: GuardOptions): Guard {
  const own = createGuard(options);
  return { ...own, observe: (event) => own.observe({ ...event, ...("at" in event && { at: undefined }) }) };
}

const newProcess = (list: MessageParamLike[], options: GuardOptions): Conversation =>
  guard(list, { ...options, createGuard: timeless });

const copyOf = (list: readonly MessageParamLike[]): MessageParamLike[] =>
  JSON.parse(JSON.stringify(list)) as MessageParamLike[];

const contentOf = ({ text, thoughts, calls }: Answer): object[] => [
  ...(thoughts === "" ? [] : [{ type: "thinking", thinking: thoughts, signature: "" }]),
  ...(text === "" ? [] : [{ type: "text", text }]),
  ...calls.map(({ id, tool, args }) => ({ type: "tool_use", id, name: tool, input: args })),
];

/** What a process does about the calls of an answer, as text that is easy to compare. */
async function runCalls(conversation: Conversation, { calls }: Answer): Promise<[MessageParamLike[], string]> {
  const content = await Promise.all(
    calls.map(({ id, tool, args, output, isError, isParts }) =>
      conversation.call({ id, name: tool, input: args }, () => ({
        type: "tool_result" as const,
        tool_use_id: id,
        content: isParts ? [{ type: "text", text: output }] : output,
        ...(isError && { is_error: true }),
      })),
    ),
  );
  const results: MessageParamLike[] = content.length === 0 ? [] : [{ role: "user", content }];
  return [results, JSON.stringify([results, loopStop(conversation)])];
}

/** Plays a conversation in one process. At each request and each answer, a new process gets the list and must decide the same. */
async function live(turns: readonly ScriptedTurn[], options: GuardOptions): Promise<void> {
  const list: MessageParamLike[] = [];
  const conversation = newProcess(list, options);
  const tell = (turn: Answer): void => {
    conversation.message({ role: "assistant", content: contentOf(turn), stop_reason: null });
    list.push({ role: "assistant", content: contentOf(turn) });
  };
  for (const turn of turns) {
    if (turn.by === "user") {
      // Only the model can tell that text after results is the user's.
      if (typeof list.at(-1)?.content === "object") tell({ by: "model", text: "What next?", thoughts: "", calls: [] });
      conversation.user(turn.text);
      list.push({ role: "user", content: turn.text });
      continue;
    }
    if (turn.by === "loop" || loopStop(conversation) !== undefined || list.at(-1)?.role === "assistant") continue;
    const copy = copyOf(list);
    const request = newProcess(copy, options);
    expect(copy).toEqual(list);
    expect(loopStop(request)).toEqual(loopStop(conversation));
    tell(turn);
    request.message({ role: "assistant", content: contentOf(turn), stop_reason: null });
    const late = newProcess(copyOf(list), options);
    const [results, expected] = await runCalls(conversation, turn);
    expect((await runCalls(request, turn))[1]).toBe(expected);
    expect((await runCalls(late, turn))[1]).toBe(expected);
    list.push(...results);
  }
}

const settings = fc.constantFrom<GuardOptions>(
  { levels: { told: 3, refused: 5, ended: 6 } },
  {},
  { preset: "aggressive" },
);

describe("a conversation that resumes in a new process", () => {
  it("is answered as in the original process", async () => {
    await fc.assert(fc.asyncProperty(arbitraryConversation(), settings, live), {
      numRuns: Math.ceil(propertyRuns() / 10),
    });
  });
});

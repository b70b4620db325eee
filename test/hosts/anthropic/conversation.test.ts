import type Anthropic from "@anthropic-ai/sdk";
import { type AgentEvent, createGuard } from "doomloop";
import { guard, loopStop } from "doomloop/anthropic";
import { describe, expect, it } from "vitest";
import { QUICK } from "../../contracts/adapter-scripts.ts";

const WORDS = "[doomloop]";
const call = (at: number) => ({ type: "tool_use", id: `call-${at}`, name: "read_file", input: { path: "x" } }) as const;
const message = (at: number) => ({ role: "assistant", content: [call(at)], stop_reason: "tool_use" }) as const;
const result = (at: number, content?: string) =>
  ({ type: "tool_result", tool_use_id: `call-${at}`, ...(content !== undefined && { content }) }) as const;

/** A guard that notes what it is told. */
function watched() {
  const events: AgentEvent[] = [];
  const own = createGuard();
  const observe = (event: AgentEvent) => {
    events.push(event);
    return own.observe(event);
  };
  return { events, options: { guard: { ...own, observe } } };
}

describe("guard, in a hand-written loop", () => {
  it("gives back the very result of a call that it does not speak about", async () => {
    const own = result(1, "nothing");

    expect(await guard([]).call(call(1), () => own)).toBe(own);
  });

  it("puts words into a result without content", async () => {
    const conversation = guard([]);
    const results = [];
    for (let at = 1; at <= 3; at++) {
      conversation.message(message(at));
      results.push(await conversation.call(call(at), () => result(at)));
    }

    expect(results.slice(0, 2)).toEqual([result(1), result(2)]);
    expect(results[2]?.content).toMatch(/^\[doomloop\]/);
  });

  /** A tool that fails the same way each time, caught around the call, with what the loop makes of the error. */
  async function failing(read: (error: unknown) => string, thrown: unknown = new Error("the disk is full")) {
    const conversation = guard([]);
    const contents: string[] = [];
    for (let at = 1; at <= 3; at++) {
      conversation.message(message(at));
      await conversation.call(call(at), () => Promise.reject(thrown)).catch((error) => void contents.push(read(error)));
    }
    const other = { type: "tool_use", id: "call-9", name: "list", input: {} } as const;
    conversation.message({ role: "assistant", content: [other], stop_reason: "tool_use" });
    contents.push(String((await conversation.call(other, () => result(9, "a.txt"))).content));
    return contents;
  }

  it.each([
    ["String(error)", (error: unknown) => String(error)],
    ["error.message", (error: unknown) => (error as Error).message],
  ])("says its words with what the tool throws, once, for a loop that sends %s", async (_name, read) => {
    const contents = await failing(read);

    expect(contents.map((content) => content.includes(WORDS))).toEqual([false, false, true, false]);
    expect(contents[2]).toContain("the disk is full");
  });

  it("says its words with the next result where nobody reads the error's message", async () => {
    expect((await failing(() => "It failed.")).map((content) => content.includes(WORDS))).toEqual([
      false,
      false,
      false,
      true,
    ]);
    const isNoError = await failing(String, { code: 1 });
    expect(isNoError.map((content) => content.includes(WORDS))).toEqual([false, false, false, true]);
  });

  it("throws the very error where there is nothing to say, and leaves it as it is", async () => {
    class DiskError extends Error {}
    const thrown = new DiskError("the disk is full");
    const errors: unknown[] = [];
    await failing((error) => `${errors.push(error)} ${error}`, thrown);

    expect(errors.slice(0, 2)).toEqual([thrown, thrown]);
    expect(errors[0]).toBe(thrown);
    expect(errors[2]).toBeInstanceOf(DiskError);
    expect(thrown.message).toBe("the disk is full");
  });

  it("goes on in a new process where the last one was, and says what is due in the list", async () => {
    const laps = [1, 2, 3].flatMap((at): Anthropic.MessageParam[] => [
      { role: "assistant", content: [call(at)] },
      { role: "user", content: [result(at, "nothing")] },
    ]);
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Where is it?" }, ...laps];
    const before = structuredClone(messages);
    guard(messages, QUICK);

    expect(messages.slice(0, 6)).toEqual(before.slice(0, 6));
    expect(messages[6]).toMatchObject({
      content: [{ tool_use_id: "call-3", content: expect.stringContaining(WORDS) }],
    });

    // Another process, to which the list shows that this was said.
    const conversation = guard(messages, QUICK);
    expect(JSON.stringify(messages).split(WORDS)).toHaveLength(2);
    const contents: unknown[] = [];
    for (let at = 4; at <= 6; at++) {
      conversation.message(message(at));
      contents.push((await conversation.call(call(at), () => result(at, "nothing"))).content);
    }
    expect(contents[0]).toContain(WORDS);
    expect(contents[1]).toContain("Not run:");
    expect(loopStop(conversation)).toMatchObject({ callId: "call-6" });
  });

  it("does not take what the system says for the user's words", () => {
    const { events, options } = watched();
    const reminder = { role: "system", content: "Be brief." } as const;
    const settings = { role: "system" } as const;
    guard([{ role: "user", content: "Where is it?" }, reminder, settings], options);

    expect(events).toMatchObject([{ type: "user", text: "Where is it?" }]);
  });

  it("reports a stored list to a guard that is passed in, but not again to one that knows the run", () => {
    const { events, options } = watched();
    const messages: Anthropic.MessageParam[] = [
      { role: "user", content: "Where is it?" },
      { role: "assistant", content: [call(1)] },
      { role: "user", content: [result(1, "nothing")] },
    ];
    guard(messages, options);
    expect(events.map(({ type }) => type)).toEqual(["user", "round", "call", "result"]);
    guard(messages, options);
    expect(events).toHaveLength(4);
  });

  it("leaves a list alone that it cannot read or write, tells of it once, and goes on", async () => {
    const faults: unknown[] = [];
    const messages = [null, { role: "user", content: [null] }] as unknown as Anthropic.MessageParam[];
    const conversation = guard(messages, { ...QUICK, onFault: (fault) => void faults.push(fault) });
    conversation.message(message(1));

    expect((await conversation.call(call(1), () => result(1, "nothing"))).content).toBe("nothing");
    expect(faults).toHaveLength(1);
  });

  it("takes calls that are run one after the other for one round", async () => {
    const conversation = guard([]);
    conversation.message({ role: "assistant", content: [1, 2, 3, 4].map(call), stop_reason: "tool_use" });
    const contents = [];
    for (let at = 1; at <= 4; at++)
      contents.push((await conversation.call(call(at), () => result(at, "nothing"))).content);

    expect(contents).toEqual(["nothing", "nothing", "nothing", "nothing"]);
  });

  it("keeps calls apart that run at the same time without an id", async () => {
    const conversation = guard([]);
    const unnamed = { type: "tool_result", tool_use_id: "", content: "nothing" } as const;
    const contents = [];
    for (let at = 1; at <= 3; at++) {
      const look = { ...call(0), id: "" };
      const page = { ...look, name: "read_blank", input: { page: at } };
      conversation.message({ role: "assistant", content: [look, page], stop_reason: "tool_use" });
      contents.push(
        await Promise.all([conversation.call(look, () => unnamed), conversation.call(page, () => unnamed)]),
      );
    }

    expect(contents.map(([look]) => String(look.content).includes(WORDS))).toEqual([false, false, true]);
  });

  it("finds the result of each call of the provider's where none has an id", () => {
    const { events, options } = watched();
    const searched = ["a", "b"].flatMap((query) => [
      { type: "server_tool_use", id: "", name: "web_search", input: { query } },
      { type: "web_search_tool_result", tool_use_id: "", content: `found ${query}` },
    ]);
    guard([], options).message({ role: "assistant", content: searched, stop_reason: "end_turn" });

    expect(events.flatMap((event) => (event.type === "result" ? [event.output] : []))).toEqual(["found a", "found b"]);
  });

  it("tells the guard what the provider did by itself: calls, failed ones and a compaction", () => {
    const { events, options } = watched();
    const conversation = guard([], options);
    const content = [
      { type: "compaction", content: "So far: nothing." },
      { type: "server_tool_use", id: "search-1", name: "web_search", input: { query: "x" } },
      {
        type: "web_search_tool_result",
        tool_use_id: "search-1",
        content: { type: "web_search_tool_result_error", error_code: "unavailable" },
      },
    ];
    conversation.message({ role: "assistant", content, stop_reason: "end_turn" });

    expect(events).toMatchObject([
      { type: "round" },
      { type: "compaction" },
      { type: "call", id: "search-1", tool: "web_search", args: { query: "x" } },
      { type: "result", id: "search-1", error: true },
    ]);
  });

  it("tells the guard what is said: beside calls in pieces, without any as a whole, and what is thought", () => {
    const { events, options } = watched();
    const conversation = guard([], options);
    const text = { type: "text", text: "I look.", citations: null };
    const searched = [
      { type: "server_tool_use", id: "search-1", name: "web_search", input: { query: "x" } },
      { type: "web_search_tool_result", tool_use_id: "search-1", content: "found" },
    ];
    const thoughts = [
      { type: "thinking", thinking: "Hm.", signature: "c2lnbmF0dXJl" },
      { type: "thinking", thinking: "", signature: "c2lnbmF0dXJl" },
      { type: "redacted_thinking", data: "ZGF0YQ==" },
    ];
    conversation.message({ role: "assistant", content: [...thoughts, text, call(1)], stop_reason: "tool_use" });
    conversation.message({ role: "assistant", content: [text, ...searched, text, text], stop_reason: "end_turn" });
    conversation.message({ role: "assistant", content: [text], stop_reason: "pause_turn" });
    conversation.message({ role: "assistant", content: [], stop_reason: "end_turn" });

    const heard = events.map((event) => ("text" in event ? `${event.type}: ${event.text}` : event.type));
    expect(heard).toEqual([
      "round",
      "reasoning: Hm.",
      "text: I look.",
      "round",
      "text: I look.",
      "call",
      "result",
      "text: I look.I look.",
      "round",
      "round",
    ]);
    expect(events.flatMap((event) => (event.type === "text" ? [event.partial] : []))).toEqual([true, true, undefined]);
  });

  it("tells a refused call from one that ends the run, and from a failed one, and sends nothing of that", async () => {
    const conversation = guard([], QUICK);
    const results = [];
    for (let at = 1; at <= 6; at++) {
      conversation.message(message(at));
      results.push(await conversation.call(call(at), () => ({ ...result(at, "no such page"), is_error: true })));
    }

    expect(results.map((made) => ("action" in made ? made.action : "run"))).toEqual([
      "run",
      "run",
      "run",
      "run",
      "block",
      "stop",
    ]);
    expect(results.map((made) => Object.keys(made).sort().join())).toEqual(
      results.map(() => "content,is_error,tool_use_id,type"),
    );
  });

  it("goes on after an end when the user speaks", async () => {
    const conversation = guard([], QUICK);
    for (let at = 1; at <= 6; at++) {
      conversation.message(message(at));
      await conversation.call(call(at), () => result(at, "nothing"));
    }
    expect(loopStop(conversation)?.callId).toBe("call-6");
    conversation.user("Try once more.");
    conversation.message(message(7));

    expect(loopStop(conversation)).toBeUndefined();
    expect(await conversation.call(call(7), () => result(7, "nothing"))).toEqual(result(7, "nothing"));
  });
});

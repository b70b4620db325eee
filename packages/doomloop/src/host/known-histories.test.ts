import { describe, expect, it } from "vitest";
import { createKnownHistories, type HistoryMessage } from "./known-histories.ts";

const user = (content: unknown): HistoryMessage => ({ role: "user", content });
const call = { type: "tool-call", toolCallId: "functions.search:0", toolName: "search", input: { query: "x" } };
const answer: HistoryMessage = { role: "assistant", content: [call] };
const copy = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

describe("createKnownHistories", () => {
  it("recognises a step by everything before it and one of its calls", () => {
    const histories = createKnownHistories(() => true);
    const step = {};
    histories.note([user("hi")], call, step);

    expect(histories.find(copy([user("hi"), answer, user("go on")]))).toBe(step);
    expect(histories.find([user("hello"), answer])).toBeUndefined();
    expect(histories.find([user("hi"), user("hi"), answer])).toBeUndefined();
    expect(histories.find([user("hi"), { ...answer, content: [{ ...call, input: { query: "y" } }] }])).toBeUndefined();
  });

  it("finds no step if two could be meant, or if another step followed it", () => {
    const old = new WeakSet<object>();
    const histories = createKnownHistories((step) => !old.has(step));
    const [first, second, third] = [{}, {}, {}];
    histories.note([user("hi")], call, first);
    old.add(first);
    expect(histories.find([user("hi"), answer])).toBeUndefined();
    histories.note([user("hi")], call, second);
    expect(histories.find([user("hi"), answer])).toBe(second);
    histories.note([user("hi")], call, third);

    expect(histories.find([user("hi"), answer])).toBeUndefined();
  });

  it.each([
    { title: "bytes", content: [{ type: "file", data: new Uint8Array(3) }] },
    { title: "more text than is read at every turn", content: "x".repeat(300_000) },
    { title: "a value that is not JSON", content: [1n] },
  ])("recognises nothing after $title", ({ content }) => {
    const histories = createKnownHistories(() => true);
    histories.note([user(content)], call, {});

    expect(histories.find([user(content), answer])).toBeUndefined();
  });

  it("forgets the oldest after a thousand", () => {
    const histories = createKnownHistories(() => true);
    for (let at = 0; at <= 1000; at++) histories.note([user(`task ${at}`)], call, {});

    expect(histories.find([user("task 0"), answer])).toBeUndefined();
    expect(histories.find([user("task 1"), answer])).toBeDefined();
  });

  it("recognises a history whose copy does not have our words, because the user's screen never had them", () => {
    const result = (output: object): HistoryMessage => ({
      role: "tool",
      content: [{ type: "tool-result", toolCallId: "a", toolName: "search", output }],
    });
    const words = "\n\n[doomloop] You did this before.";
    const read = [
      { type: "text", value: `nothing${words}` },
      { type: "text", value: `{"found":0}${words}` },
    ] as const;
    const shown = [
      { type: "text", value: "nothing" },
      { type: "json", value: { found: 0 } },
    ] as const;
    for (const at of [0, 1] as const) {
      const histories = createKnownHistories(() => true);
      const step = {};
      histories.note([user("hi"), result(read[at])], call, step);

      expect(histories.find([user("hi"), result(shown[at]), answer])).toBe(step);
      expect(histories.find([user("hi"), result({ type: "text", value: "other" }), answer])).toBeUndefined();
    }
  });
});

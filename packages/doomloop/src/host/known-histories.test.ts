import { describe, expect, it } from "vitest";
import { createKnownHistories, type HistoryMessage } from "./known-histories.ts";

const user = (content: unknown): HistoryMessage => ({ role: "user", content });
const call = { type: "tool-call", toolCallId: "functions.search:0", toolName: "search", input: { query: "x" } };
const answer: HistoryMessage = { role: "assistant", content: [call] };
const copy = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

describe("createKnownHistories", () => {
  it("knows a step again by all that came before it and one of its calls", () => {
    const histories = createKnownHistories(() => true);
    const step = {};
    histories.note([user("hi")], call, step);

    expect(histories.find(copy([user("hi"), answer, user("go on")]))).toBe(step);
    expect(histories.find([user("hello"), answer])).toBeUndefined();
    expect(histories.find([user("hi"), user("hi"), answer])).toBeUndefined();
    expect(histories.find([user("hi"), { ...answer, content: [{ ...call, input: { query: "y" } }] }])).toBeUndefined();
  });

  it("knows none where two steps could be meant, and none that another has come behind", () => {
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
    { title: "what is no JSON", content: [1n] },
  ])("knows nothing again behind $title", ({ content }) => {
    const histories = createKnownHistories(() => true);
    histories.note([user(content)], call, {});

    expect(histories.find([user(content), answer])).toBeUndefined();
  });

  it("forgets the oldest of a thousand", () => {
    const histories = createKnownHistories(() => true);
    for (let at = 0; at <= 1000; at++) histories.note([user(`task ${at}`)], call, {});

    expect(histories.find([user("task 0"), answer])).toBeUndefined();
    expect(histories.find([user("task 1"), answer])).toBeDefined();
  });
});

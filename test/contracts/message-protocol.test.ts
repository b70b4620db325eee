import { describe, expect, it } from "vitest";
import type { WireMessage } from "./adapter-driver.ts";
import { protocolFaults } from "./message-protocol.ts";

const asked: WireMessage = { role: "user", parts: [{ type: "text", text: "go" }] };
const calls = (...ids: string[]): WireMessage => ({
  role: "assistant",
  parts: ids.map((id) => ({ type: "call", id })),
});
const results = (...ids: string[]): WireMessage => ({
  role: "tool",
  parts: ids.map((id) => ({ type: "result", id, text: "found" })),
});

describe("the message protocol", () => {
  it("takes calls that are answered, in one message or several, and words behind them", () => {
    expect(protocolFaults([asked, calls("a", "b"), results("b", "a")])).toEqual([]);
    expect(protocolFaults([asked, calls("a", "b"), results("a"), results("b"), asked])).toEqual([]);
  });

  it("takes a call that the provider answered in the same message", () => {
    const parts: WireMessage["parts"] = [...calls("a").parts, ...results("a").parts];

    expect(protocolFaults([asked, { role: "assistant", parts }, asked])).toEqual([]);
  });

  it.each([
    ["a call without a result", [asked, calls("a", "b"), results("a")]],
    ["a call without a result before the next answer", [asked, calls("a"), calls("b"), results("b")]],
    ["a result without a call", [asked, calls("a"), results("a", "b")]],
    ["a result twice", [asked, calls("a"), results("a", "a")]],
    ["words between a call and its result", [asked, calls("a"), asked, results("a")]],
    ["two answers in a row", [asked, calls("a"), results("a"), calls("b"), calls("b"), results("b")]],
    ["an answer at the end", [asked, { role: "assistant", parts: asked.parts }]],
    ["an empty message", [asked, { role: "user", parts: [] }]],
    ["an empty text", [{ role: "user", parts: [{ type: "text", text: " " }] }]],
    ["an empty result", [asked, calls("a"), { role: "tool", parts: [{ type: "result", id: "a", text: "" }] }]],
  ] satisfies [string, WireMessage[]][])("refuses %s", (_title, messages) => {
    expect(protocolFaults(messages)).not.toEqual([]);
  });
});

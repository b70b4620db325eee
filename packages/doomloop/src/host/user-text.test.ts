import { describe, expect, it } from "vitest";
import { latestUserText } from "./user-text.ts";

describe("the latest words of the user", () => {
  it.each<[string, unknown]>([
    ["a text", { role: "user", content: "Where is it?" }],
    ["parts", { role: "user", content: [{ type: "text", text: "Where is it?" }, { type: "image" }] }],
    ["a class with a type", { type: "human", content: "Where is it?" }],
    ["parts under their own name", { role: "user", parts: [{ text: "Where is it?" }] }],
  ])("are found in %s", (_, message) => {
    expect(latestUserText([message, { role: "assistant", content: "I look." }])).toBe("Where is it?");
  });

  it("are not the results of tools that a user message carries", () => {
    const results = { role: "user", content: [{ type: "tool_result", content: "It is here." }] };

    expect(latestUserText([{ role: "user", content: "Where is it?" }, results])).toBe("Where is it?");
  });

  it("are undefined if nobody said anything", () => {
    expect(latestUserText([null, "text", { role: "assistant", content: "I look." }, { role: "user" }])).toBeUndefined();
  });
});

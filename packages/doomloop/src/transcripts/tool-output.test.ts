import { expect, it } from "vitest";
import { contentText, toolOutput } from "./tool-output.ts";

it.each([
  { title: "text", content: "a", output: "a" },
  {
    title: "blocks of text",
    content: [
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ],
    output: "a\nb",
  },
  { title: "another value", content: { rows: 3 }, output: { rows: 3 } },
  { title: "nothing", content: undefined, output: undefined },
])("returns $title", ({ content, output }) => {
  expect(toolOutput(content)).toEqual({ output });
});

it("tells pictures apart without keeping them", () => {
  const picture = (data: string) => [
    { type: "text", text: "shot" },
    { type: "image", source: { type: "base64", data } },
  ];
  const first = toolOutput(picture("aaaa"));

  expect(first).toEqual({ output: "shot\n[content]", digest: expect.any(String), length: 14 });
  expect(toolOutput(picture("aaaa"))).toEqual(first);
  expect(toolOutput(picture("bbbb")).digest).not.toBe(first.digest);
});

it("shortens a long output, and distinguishes it from one that differs in the middle", () => {
  const long = (middle: string) => `${"a".repeat(200_000)}${middle}${"b".repeat(200_000)}\nError: at the end`;
  const { output, digest, length } = toolOutput(long("x"));

  expect(output).toHaveLength(24_576 + 1 + 8192);
  expect(String(output).endsWith("Error: at the end")).toBe(true);
  expect(length).toBe(long("x").length);
  expect(toolOutput(long("y")).digest).not.toBe(digest);
});

it("finds the text of a message", () => {
  expect(contentText([{ type: "text", text: "a" }, { type: "image" }, "b", null])).toBe("a\nb");
  expect(contentText([])).toBeUndefined();
});

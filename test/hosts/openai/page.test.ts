import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const page = readFileSync(new URL("../../../docs/adapters/openai.md", import.meta.url), "utf8");
const checked = linesOf(readFileSync(new URL("page.test-d.ts", import.meta.url), "utf8"));

it("has its page's code checked against the types of the package", () => {
  const blocks = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => linesOf(code!));

  expect(blocks).toHaveLength(3);
  expect(blocks.flat().filter((line) => !checked.includes(line))).toEqual([]);
});

function linesOf(code: string): string[] {
  const lines = code.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "");
}

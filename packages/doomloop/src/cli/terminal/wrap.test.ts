import { expect, it } from "vitest";
import { columnsOf } from "../../system/printable.ts";
import { wrapList, wrapText } from "./wrap.ts";

it("breaks a text at spaces, and indents what follows", () => {
  expect(wrapText("one two three four", 9, "  ")).toBe("one two\n  three\n  four");
});

it("keeps items of a list whole", () => {
  const text = wrapList(["Claude Code 12", "项目管理系统 3", "pi 1"], 20);

  expect(text).toBe("Claude Code 12,\n项目管理系统 3, pi 1");
  expect(Math.max(...text.split("\n").map(columnsOf))).toBeLessThanOrEqual(20);
});

it("measures what is seen, not what colours it", () => {
  expect(wrapText("\u001b[1mone\u001b[22m two", 7)).toBe("\u001b[1mone\u001b[22m two");
});

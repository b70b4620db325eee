import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { unifiedDiff } from "./unified-diff.ts";

/** What a difference makes of a text, by its line numbers. */
function applied(before: string, diff: readonly string[]): string {
  const old = before.split(/(?<=\n)/);
  const fresh: string[] = [];
  let at = 0;
  diff.forEach((line, index) => {
    const [, from, length] = /^@@ -(\d+),(\d+)/.exec(line) ?? [];
    if (from !== undefined) {
      const start = Number(from) - (length === "0" ? 0 : 1);
      fresh.push(...old.slice(at, start));
      at = start;
    } else if (!line.startsWith("\\")) {
      const end = diff[index + 1]?.startsWith("\\") === true ? "" : "\n";
      if (line.startsWith("+")) fresh.push(`${line.slice(1)}${end}`);
      else {
        expect(old[at]).toBe(`${line.slice(1)}${end}`);
        if (line.startsWith(" ")) fresh.push(old[at]!);
        at++;
      }
    }
  });
  return [...fresh, ...old.slice(at)].join("");
}

describe("unifiedDiff", () => {
  it("shows a change with three lines on each side", () => {
    const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";

    expect(unifiedDiff(before, before.replace("5\n", "five\n"))).toEqual([
      "@@ -2,7 +2,7 @@",
      " 2",
      " 3",
      " 4",
      "-5",
      "+five",
      " 6",
      " 7",
      " 8",
    ]);
  });

  it("says nothing where nothing changes, and how a file begins and ends to be", () => {
    expect(unifiedDiff("a\n", "a\n")).toEqual([]);
    expect(unifiedDiff("", "a\n")).toEqual(["@@ -0,0 +1,1 @@", "+a"]);
    expect(unifiedDiff("a", "a\n")).toEqual(["@@ -1,1 +1,1 @@", "-a", "\\ No newline at end of file", "+a"]);
  });

  it("shows texts that differ in everything as one in the place of the other", () => {
    const lines = (sign: string) => Array.from({ length: 2_000 }, (_, index) => `${sign}${index}\n`).join("");
    const diff = unifiedDiff(lines("a"), lines("b"));

    expect(diff[0]).toBe("@@ -1,2000 +1,2000 @@");
    expect(applied(lines("a"), diff)).toBe(lines("b"));
  });

  it("makes the new text of the old one", () => {
    const text = fc
      .tuple(fc.array(fc.constantFrom("a", "b", "c", "", "d"), { maxLength: 30 }), fc.boolean())
      .map(([lines, isEnded]) => (lines.length === 0 ? "" : `${lines.join("\n")}${isEnded ? "\n" : ""}`));
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(applied(before, unifiedDiff(before, after))).toBe(after);
      }),
      { numRuns: Math.ceil(propertyRuns() / 5) },
    );
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutArguments, describeStep } from "./describe-step.ts";

const sameOf = (tool: string, args: unknown): string =>
  describeStep({ index: 0, event: { type: "call", tool, args }, at: undefined, result: undefined }, false).same;

describe("the identity of a call in a report", () => {
  it("is another for another tool, or other arguments", () => {
    const calls = [
      ["a", {}],
      ["b", {}],
      ["a", { b: 1 }],
      ["a", []],
      ["a", undefined],
      ["a", null],
      ["a", "text"],
      ["a", { value: 1 }],
      ["a", 1],
      ["a!", 1],
    ] as const;

    expect(new Set(calls.map(([tool, args]) => sameOf(tool, args))).size).toBe(calls.length);
  });

  it("is the number of the call where arguments are not compared, and for a tool's name beyond reason", () => {
    expect(sameOf("a", () => 1)).toBe("call-1");
    expect(sameOf("a".repeat(1024), {})).not.toBe("call-1");
    expect(sameOf("a".repeat(1025), {})).toBe("call-1");
  });
});

describe("arguments for a report", () => {
  it("stay unchanged if they are short", () => {
    expect(cutArguments({ path: "a.ts", lines: [1, 2] }, 100)).toBe('{"path":"a.ts","lines":[1,2]}');
    expect(cutArguments("ls -l", 100)).toBe("ls -l");
    expect(cutArguments(undefined, 100)).toBe("");
  });

  it("lose parts of their longest fields, and stay valid JSON", () => {
    const cut = JSON.parse(cutArguments({ path: "a.ts", before: "x".repeat(900), after: "y".repeat(5_000) }, 1_000));

    expect(cut.path).toBe("a.ts");
    expect(cut.before).toBe(`${"x".repeat(498)}… (900 characters)`);
    expect(cut.after).toBe(`${"y".repeat(498)}… (5000 characters)`);
  });

  it("show a long list as text with its length", () => {
    const cut = JSON.parse(cutArguments({ edits: Array.from({ length: 900 }, () => "edit") }, 100));

    expect(cut.edits).toMatch(/^\["edit",.*… \(6301 characters\)$/);
  });

  it("are never much longer than the limit, whatever they contain", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 8 }), (args) => {
        const cut = cutArguments(args, 60);
        if (Object.keys(args).length > 0) expect(() => JSON.parse(cut)).not.toThrow();
        for (const value of Object.values(JSON.parse(cut) as object))
          expect((JSON.stringify(value) ?? "").length).toBeLessThan(60 * 6 + 40);
      }),
      { numRuns: 200 },
    );
  });
});

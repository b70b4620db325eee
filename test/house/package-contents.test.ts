import { describe, expect, it } from "vitest";
import { compareContents, linesOf } from "../../scripts/package-contents.ts";

const listed = [
  { name: "LICENSE", kilobytes: 2 },
  { name: "dist/index.js", kilobytes: 100 },
];

describe("the list of what the tarball holds", () => {
  it("knows files by name, without the bundler's hashes, and what they share as one", () => {
    const files = [
      { path: "dist/agents/hook-program/run-hook-program-PGz7-cCY.cjs", size: 1001 },
      { path: "dist/chunks/b.js", size: 600 },
      { path: "dist/chunks/a.js", size: 600 },
      { path: "dist/chunks/a.js.map", size: 1 },
      { path: "LICENSE", size: 1000 },
    ];

    expect(linesOf(files)).toEqual([
      { name: "LICENSE", kilobytes: 1 },
      { name: "dist/agents/hook-program/run-hook-program-*.cjs", kilobytes: 2 },
      { name: "dist/chunks/*.js", kilobytes: 2 },
      { name: "dist/chunks/*.js.map", kilobytes: 1 },
    ]);
  });

  it("is content with files that grew a little", () => {
    expect(
      compareContents(listed, [
        { name: "LICENSE", kilobytes: 3 },
        { name: "dist/index.js", kilobytes: 140 },
      ]),
    ).toEqual([]);
  });

  it.each([
    ["a file that nobody meant to publish", [...listed, { name: ".env", kilobytes: 1 }], ".env is new"],
    ["a file that is gone", listed.slice(1), "LICENSE is missing"],
    [
      "a file that grew by half and more",
      [listed[0]!, { name: "dist/index.js", kilobytes: 170 }],
      "dist/index.js has 170 kB",
    ],
    ["a file that is half empty", [listed[0]!, { name: "dist/index.js", kilobytes: 50 }], "dist/index.js has 50 kB"],
  ])("notices %s", (_title, actual, fault) => {
    expect(compareContents(listed, actual)).toEqual([expect.stringContaining(fault)]);
  });
});

import { describe, expect, it } from "vitest";
import { toolKey } from "../../../doomloop/src/scan/report/words.ts";
import { toolSpellings } from "./tool-spellings.ts";

describe("the spellings of a tool", () => {
  it("are one tool where only case and separators differ, by the most frequent name", () => {
    const nameOf = toolSpellings(["bash", "Bash", "Bash", "read_file", "ReadFile", "read-file", "Read"]);

    expect(["bash", "BASH", "ReadFile", "Read", "grep"].map(nameOf)).toEqual([
      "Bash",
      "Bash",
      "read_file",
      "Read",
      "grep",
    ]);
  });

  it("do not make one of tools that consist of signs", () => {
    expect(toolKey("_")).not.toBe(toolKey("-"));
  });
});

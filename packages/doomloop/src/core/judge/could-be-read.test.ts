import { describe, expect, it } from "vitest";
import { call, failure, latestIn, result } from "../../../../../test/builders.ts";
import { couldBeRead } from "./could-be-read.ts";

/** Whether a command that came back with this was read by its shell. */
const wasRead = (output: string, isFailing = true) => {
  const { step } = latestIn([
    call("bash", { command: "mkdir a" }),
    isFailing ? failure(output) : result(output, { error: false }),
  ]);
  return couldBeRead(step, output);
};

describe("couldBeRead", () => {
  it.each([
    "bash: -c: line 1: syntax error near unexpected token `('",
    "sh: unexpected EOF while looking for matching `\"'",
    "sh: 1: Syntax error: Unterminated quoted string",
    "zsh: parse error near `\\n'",
  ])("is not so of a line that was turned down with %j", (output) => {
    expect(wasRead(output)).toBe(false);
  });

  it("is so of whatever failed in another way, and of what did not fail", () => {
    expect(wasRead("mkdir: cannot create directory 'a': File exists")).toBe(true);
    expect(wasRead("syntax error on line 3 of the report", false)).toBe(true);
  });

  it("is so of what tells a long story, in which a syntax error may be somebody else's", () => {
    expect(wasRead("syntax error in a.ts. ".padEnd(299, "x"))).toBe(false);
    expect(wasRead("syntax error in a.ts. ".padEnd(300, "x"))).toBe(true);
  });
});

import { describe, expect, it } from "vitest";
import { readFailure, tellingLine } from "./read-failure.ts";

const strengthOf = (text: string, error?: boolean): string | undefined => readFailure(text, error)?.strength;
const kindOf = (text: string): string | undefined => readFailure(text, true)?.kind;
const filler = "some line of a file that is shown\n".repeat(20);

describe("readFailure", () => {
  it("takes the host at its word that a step failed", () => {
    expect(strengthOf("", true)).toBe("told");
    expect(strengthOf("all is well", true)).toBe("told");
    expect(strengthOf("exit code: 0", true)).toBe("told");
  });

  it.each([
    "exit code: 1",
    "Exit code 127",
    "exited with code 2",
    "exit status 1",
    "exit_code=3",
    "Exit-Code: -1",
    `return code: 2`,
    `${filler}\n[exit code 1]`,
  ])("takes an exit code at its word: %j", (text) => {
    expect(strengthOf(text)).toBe("told");
  });

  it.each([
    "exit code: 0",
    "exited with code 0",
    `error: nothing of the kind\nexit code: 0`,
    `${filler}error\nexit code 0`,
  ])("takes an exit code of 0 at its word, whatever else is said: %#", (text) => {
    expect(readFailure(text, undefined)).toBeUndefined();
  });

  it.each([
    "I'm sorry, I cannot reach the registry.",
    `Unfortunately the search brought nothing.\n${filler}`,
    `I encountered an issue while fetching the fares. Let me try again.\n${filler}`,
    "I couldn't find information on the highest point of the island.",
    "I was unable to open the document.",
  ])("reads an apology for a failure: %#", (text) => {
    expect(readFailure(text, undefined)).toMatchObject({ strength: "read" });
    expect(readFailure(text, undefined)?.kind).toBe(readFailure("Sorry, no.", undefined)?.kind);
  });

  it.each(["I found the sorry state of the cache.", `I'm sorry. ${"word ".repeat(500)}`])(
    "takes other words for none: %#",
    (text) => {
      expect(readFailure(text, undefined)).toBeUndefined();
    },
  );

  it("knows one way of failing whatever values it mentions", () => {
    const says = (args: string) => `Error: page_down got an unexpected argument in ${args}`;

    expect(kindOf(says("{'a': ''}"))).toBe(kindOf(says("{'arguments': {}}")));
    expect(kindOf(says("[1, [2]]"))).toBe(kindOf(says("{}")));
    expect(kindOf("Error: bad { input")).not.toBe(kindOf("Error: bad input"));
  });

  it("looks for an exit code at the ends only", () => {
    expect(readFailure(`${filler}the exit code 1 means usage\n${filler}`, undefined)).toBeUndefined();
  });

  it.each([
    "Error: no such file",
    "ls: cannot access 'x': No such file or directory",
    "bash: foo: command not found",
    "Permission denied",
    "connection refused",
    "usage: tool [options]",
    `Traceback (most recent call last):\n${filler}ValueError: bad`,
    `${filler}TypeError: x is not a function`,
    `fatal: not a git repository\n${filler}`,
    `${filler}FAILED tests/a.py::b`,
  ])("reads a failure in the words: %#", (text) => {
    expect(strengthOf(text)).toBe("read");
  });

  it.each([
    "",
    "ok",
    "3 rows",
    `${filler}`,
    `${filler}this function throws an error if\n${filler}`,
    `def handle_error(e):\n${filler}`,
  ])("reads none where there is none: %#", (text) => {
    expect(readFailure(text, undefined)).toBeUndefined();
  });

  it.each(["Error: no such file", "bash: foo: command not found", "I'm sorry, I cannot do that.", `${filler}FAILED`])(
    "takes the host at its word that all is well, whatever is said: %#",
    (text) => {
      expect(readFailure(text, undefined)).toBeDefined();
      expect(readFailure(text, false)).toBeUndefined();
    },
  );

  it("believes a command's own exit code more than the host", () => {
    expect(strengthOf("FAIL src/a.test.ts\nexit code: 1", false)).toBe("told");
  });

  it.each([
    "Successfully modified file: src/errors.ts (1 replacements).",
    "Successfully modified file: C:\\app\\error\\timeout.cs.",
    "Saved errors.ts",
    "Opened https://example.com/error/not-found",
    "Created branch 'failed' from main",
    "Renamed `error` to `fault` in 3 files",
    "[main 1f3a9c0] Handle error 7 in module m7\n 1 file changed, 3 insertions(+)",
    "export class ParseFault extends Error {}",
    "throw new ParseError('m7')",
    "set error_limit and retry_timeout",
    "No I/O errors",
    "checked 12 files, no type or lint errors",
    "timeout: 5",
    '{"retries":3,"timeout_ms":5000}',
    "timeout = 30",
  ])("takes a name, a setting or a denial for no failure: %j", (text) => {
    expect(readFailure(text, undefined)).toBeUndefined();
  });

  it.each([
    "Error reading src/errors.ts",
    "ENOENT: no such file or directory, open '/app/src/errors.ts'",
    '{"status":"failed","path":"/app/src/a.ts"}',
    '{ "status": "failed" }',
    '{"error":"timeout"}',
    "Unknown error",
    "The server returned error: 500",
    "request timeout",
    "timeout while waiting for the lock",
    "grep: (standard input): binary file matches\nerror",
    "No such file error",
    "An unexpected error occurred",
  ])("still reads a failure: %j", (text) => {
    expect(strengthOf(text)).toBe("read");
  });
});

describe("the kind of a failure", () => {
  it.each([
    ["paths", "cannot open /a/b.ts", "cannot open /c/d/e.ts"],
    ["relative paths", "cannot open src/b.ts:12", "cannot open lib/d/e.ts:7"],
    ["quoted names", "Error: module 'numpy' not found", "Error: module 'pandas' not found"],
    ["numbers", "Error at line 12, column 7", "Error at line 340, column 21"],
    [
      "what stands before the last line that tells",
      `Traceback:\n  one\nKeyError: 'a'`,
      `Traceback:\n  two\n  three\nKeyError: 'b'`,
    ],
    ["a tag around it", "Error: it is gone\n</output>", "Error: it is gone"],
  ])("is the same whatever %s it mentions", (_, one, other) => {
    expect(kindOf(one)).toBe(kindOf(other));
  });

  it.each([
    ["Error: not found", "Error: permission denied"],
    ["KeyError: 'a'", "ValueError: 'a'"],
    ["Traceback (most recent call last):\nKeyError: 'a'", "Traceback (most recent call last):\nValueError: 'a'"],
    ["", "Error"],
    ["can't open it", "won't open it"],
  ])("differs for %j and %j", (one, other) => {
    expect(kindOf(one)).not.toBe(kindOf(other));
  });
});

describe("a failure", () => {
  it.each([
    "429 Too Many Requests",
    "rate_limit_exceeded",
    "EBUSY: resource busy or locked, open 'a.db'",
    "The service is temporarily unavailable",
    "connect ECONNREFUSED 127.0.0.1:5432",
    "Request timed out",
    `${filler}database is locked`,
  ])("may pass by itself: %j", (text) => {
    expect(readFailure(text, true)?.isBusy).toBe(true);
  });

  it.each(["no such file", "TypeError: a is not a function", "", `database is locked\n${filler}${filler}failed`])(
    "may not pass by itself: %j",
    (text) => {
      expect(readFailure(text, true)?.isBusy).toBe(false);
    },
  );

  it.each(["ENOENT: no such file or directory, open 'package-lock.json'", "Cannot find module './retry.ts'"])(
    "may not pass by itself because a file has such a name: %j",
    (text) => {
      expect(readFailure(text, true)?.isBusy).toBe(false);
    },
  );

  it.each([
    ["403 Forbidden", true],
    ["sh: permission denied", true],
    ["The API key is missing", true],
    ["quota is used up", true],
    ["EROFS: read-only file system", true],
    ["404 Not Found", false],
    ["no such part", false],
    ["permission denied\nError: no such part", false],
  ])("of %j is a closed door: %j", (text, isClosedDoor) => {
    expect(readFailure(text, true)?.isClosedDoor).toBe(isClosedDoor);
  });

  it.each([
    ["SyntaxError: Unexpected token", true],
    ["unknown option: --all", true],
    ["missing required argument: id", true],
    ['relation "orders" does not exist', true],
    ["TypeError: a is not a function", true],
    ["404 Not Found", false],
    ["connection refused", false],
    ["invalid id\nError: the server is busy", false],
  ])("of %j is that of a faulty call: %j", (text, isFaultyCall) => {
    expect(readFailure(text, true)?.isFaultyCall).toBe(isFaultyCall);
  });

  it("has a line that is the same but for times and ids, and a kind that is the same for other names, too", () => {
    const of = (text: string) => readFailure(text, true)!;
    const missing = of("Error: no such part 'lid' in job 48211 (after 1.2s)");

    expect(of("Error: no such part 'lid' in job 51977 (after 340ms)").line).toBe(missing.line);
    expect(of("Error: no such part 'pot' in job 48211 (after 1.2s)").line).not.toBe(missing.line);
    expect(of("Error: no such part 'pot' in job 48211 (after 1.2s)").kind).toBe(missing.kind);
    expect(of("Error: no such part 'lid' in 3 jobs").line).not.toBe(of("Error: no such part 'lid' in 4 jobs").line);
  });

  it.each([
    '{"errors": false}',
    "failed: 0, passed: 12",
    "0 failed, 12 passed",
    "no errors",
    '{"error":null,"id":7}',
    "without failures",
  ])("is not read where it is denied: %j", (text) => {
    expect(readFailure(text, undefined)).toBeUndefined();
  });

  it.each(['{"errors": true}', "failed: 10", "10 failed", '{"error":"null pointer"}', "no errors but one failure"])(
    "is read where it is not denied: %j",
    (text) => {
      expect(readFailure(text, undefined)?.strength).toBe("read");
    },
  );
});

describe("tellingLine", () => {
  it.each([
    ["a\nError: b\nc\nd", "Error: b"],
    ["Error: first\nError: last", "Error: last"],
    ["a\nb\n", "b"],
    ["  b  \n\n\n", "b"],
    ["one\n</result>\n", "one"],
    ["", ""],
    ["\n\n", ""],
    [`Error: far above\n${"line\n".repeat(30)}last`, "last"],
  ])("of %j is %j", (text, line) => {
    expect(tellingLine(text)).toBe(line);
  });

  it("is cut", () => {
    expect(tellingLine("x".repeat(10_000)).length).toBeLessThanOrEqual(300);
  });
});

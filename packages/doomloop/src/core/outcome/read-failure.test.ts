import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { readFailure } from "./read-failure.ts";

const read = (text: string, error?: boolean, isVouched = false) => readFailure(text, error, isVouched);
const TRACEBACK = (last: string): string =>
  `Traceback (most recent call last):\n${'  File "main.py", line 3, in run\n    start()\n'.repeat(12)}${last}`;

describe("readFailure", () => {
  it("goes by the host's flag, whatever the words", () => {
    expect(read("all is well", true)).toMatchObject({ isTold: true });
    expect(read("Error: no such file", false, true)).toBeUndefined();
  });

  it.each(["exit code: 1", "Process exited with code 2", "ran it\nexit status: 127", '{"exit_code": -1}'])(
    "goes by an exit code: %j",
    (text) => {
      expect(read(text)).toMatchObject({ isTold: true });
      expect(read(text.replace(/-?\d+/, "0"))).toBeUndefined();
    },
  );

  it.each([
    "Error: no such file 'a.ts'",
    "cat: a.ts: No such file or directory",
    "fatal: not a git repository",
    "Permission denied",
    "2 failed, 3 passed",
    "command not found: pnpmm",
    '{"error": "invalid token"}',
    "usage: git [--version]",
    TRACEBACK("ModuleNotFoundError: No module named 'numpy'"),
    `${"compiling part after part of it\n".repeat(20)}error: linking failed`,
  ])("reads a failure in the words: %j", (text) => {
    expect(read(text)).toMatchObject({ isTold: false });
  });

  it.each([
    "",
    "ok",
    "0 failed, 12 passed",
    "no errors",
    "Found 0 errors.",
    '{"errors": [], "ok": true}',
    '{"error": null, "rows": 3}',
    "errors: false",
    "ℹ tests 3\nℹ pass 3\nℹ fail 0",
    "# fail 0",
    "✔ fails on a missing file (1.9ms)\n✔ permission denied is handled\nℹ fail 0",
    "ok 1 - access is denied\n# fail 0",
    "timeout: 5",
    "src/errors.ts\nsrc/on_failure.ts",
    "export class NotFoundError is in errors.ts",
    "added tests for error_handler",
    `${"A ticket that speaks of an error, of a failed login and of much else, at some length.\n".repeat(8)}Kind regards`,
  ])("reads no failure in %j", (text) => {
    expect(read(text)).toBeUndefined();
  });

  it("believes the host that a record of somebody's failure is none", () => {
    const ticket = "Login failed for user 7. Error: invalid password.";

    expect(read(ticket, false, true)).toBeUndefined();
    expect(read(ticket)).toBeDefined();
  });

  it("takes several lines of a file for what the file says", () => {
    const source = "  1\tif (code === 'EACCES') return 'permission denied';\n  2\tthrow new Error('unknown');";

    expect(readFailure(source, undefined, true, true)).toBeUndefined();
    expect(readFailure(source, undefined, true)).toBeDefined();
    expect(readFailure("cat: a.ts: No such file or directory\n", undefined, true, true)).toBeDefined();
    expect(readFailure("Error: no such file\nThe folder has b.ts", undefined, true, true)).toBeDefined();
  });

  it("is of one kind whatever names, paths and numbers it mentions, and its line tells them apart", () => {
    const [one, other] = ["Error: no such file 'src/a.ts'", "Error: no such file 'lib/b.ts'"].map(
      (text) => read(text)!,
    );

    expect(one!.kind).toBe(other!.kind);
    expect(one!.line).not.toBe(other!.line);
    expect(read("Error: port 80 is taken")!.kind).not.toBe(one!.kind);
  });

  it("is told by its last line: tracebacks all begin alike", () => {
    const [one, other] = ["KeyError: 'a'", "TypeError: not callable"].map((last) => read(TRACEBACK(last))!);

    expect(one!.kind).not.toBe(other!.kind);
    expect(read(TRACEBACK("KeyError: 'a'"))!.line).toBe(one!.line);
  });

  it.each([
    ["429 Too Many Requests", true],
    ["Error: the database is locked", true],
    ["connect ECONNREFUSED 127.0.0.1:5432", true],
    ["503 Service Unavailable", true],
    ["Error: no such file", false],
  ])("says of %j that it may pass: %s", (text, isBusy) => {
    expect(read(text, true)!.isBusy).toBe(isBusy);
  });

  it("says that a closed door and a wrong call stay as they are", () => {
    expect(read("403 Forbidden", true)).toMatchObject({ isFinal: true, isClosedDoor: true });
    expect(read("SyntaxError: invalid syntax", true)).toMatchObject({ isFinal: true, isClosedDoor: false });
    expect(read("expected 2, got 3", true)).toMatchObject({ isFinal: false, isClosedDoor: false });
  });

  it("reads any text without a fault, the same each time", () => {
    const words = fc.constantFrom(
      "error",
      "failed",
      "0",
      "no",
      ":",
      "\n",
      '"',
      "exit code",
      "a/b.ts",
      "[",
      "'",
      "429",
      " ",
    );
    const property = fc.property(
      fc.array(words, { maxLength: 200 }),
      fc.constantFrom(undefined, true, false),
      (list, error) => {
        const text = list.join("");
        expect(read(text, error)).toEqual(read(text, error));
      },
    );
    fc.assert(property, { numRuns: propertyRuns() });
  });
});

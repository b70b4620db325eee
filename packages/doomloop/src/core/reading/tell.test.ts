import fc from "fast-check";
import { expect, it } from "vitest";
import { call, failure, newRun, result } from "../../../../../test/builders.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { platform } from "../../platform.ts";
import type { ResultEvent } from "../event.ts";
import type { Step } from "../step.ts";
import { isFailure } from "./tell.ts";

/** The steps that these results of one call come to. */
function told(results: readonly (string | ResultEvent)[], tool = "get_page"): Step[] {
  const run = newRun();
  return results.map((each) => {
    run.take(call(tool, { id: 1 }));
    return (run.take(typeof each === "string" ? result(each) : each) as unknown as { readonly step: Step }).step;
  });
}
const same = (one: string, other: string, tool?: string): boolean =>
  new Set(told([one, other], tool).map((step) => step.result)).size === 1;
const failureOf = (each: string | ResultEvent, tool?: string) => told([each], tool)[0]!.failure;
const TRACEBACK = (last: string): string =>
  `Traceback (most recent call last):\n${'  File "main.py", line 3, in run\n    start()\n'.repeat(12)}${last}`;

it.each([
  [true, "12:04:11.123 ready|12:05:01.456 ready", "took 113ms|took 254ms", "on localhost:50311|on localhost:50622"],
  [true, "at 2026-03-04T10:11:12Z|at 2026-03-04T10:12:12Z", "done after 3 seconds|done after 9 seconds"],
  [true, "at 0x7f3a9c1eb80|at 0x7f3a9c1ea81", "at 6e4a320e|at 2fc114b0", "now 1770000000|now 1770000037"],
  [true, "trace 3f2504e0-4f89-41d3-9a0c-0305e82c3301|trace 3f2504e0-4f89-41d3-9a0c-0305e82c3302", "a  b\n\n c|a b\nc"],
  [true, "pid 48211 ended|pid 48228 ended", "request_id: a1b2c3|request_id: d4e5f6"],
  [true, "kept at /tmp/run-a/out.log|kept at /tmp/run-b/out.log", "[12] button [ref=e5]|[57] button [ref=e19]"],
  [false, "100 rows written|200 rows written", "progress: 30%|progress: 60%", "released 1.2.0|released 1.3.0"],
  [false, "in src/a.ts|in src/b.ts", "one\ntwo|one\ntwo\nthree", "is it there?|is it there!", "Kühe|Köhe"],
  [false, "imported up to 2024-01-05|imported up to 2024-01-06", "created TCK-4711|created TCK-4712"],
] as [boolean, ...string[]][])("takes results for the same (%j): %j", (isSame, ...pairs) => {
  expect(pairs.filter((pair) => same(...(pair.split("|") as [string, string])) !== isSame)).toEqual([]);
});

it("leaves out ids where an act has made them, and no counts", () => {
  expect(same("created TCK-4711", "created TCK-4712", "frobnicate")).toBe(true);
  expect(same("sent 3 mails", "sent 4 mails", "frobnicate")).toBe(false);
});

it.each([2_400, 9_000, 90_000])("reads the middle and the end of a long text, too: %i", (length) => {
  const filler = "some words of a board ".repeat(length / 44);

  expect(same(`${filler}it is open ${filler}`, `${filler}it is taken ${filler}`)).toBe(false);
  expect(same(`${filler}${filler}in peace`, `${filler}${filler}in tears`)).toBe(false);
});

it("tells apart any two texts of letters that differ", () => {
  const letters = fc.string({ unit: fc.constantFrom("g", "h", "k", " "), minLength: 2, maxLength: 20 });
  const plain = (text: string): string => text.trim().replaceAll(/ +/g, " ");
  const property = fc.property(letters, letters, (one, other) => {
    expect(same(`say ${one}`, `say ${other}`)).toBe(plain(one) === plain(other));
  });
  fc.assert(property, { numRuns: propertyRuns() });
});

it("goes by the host's flag and by an exit code, whatever the words", () => {
  expect(failureOf(failure("all is well"))).toMatchObject({ isTold: true });
  expect(failureOf(result("Error: no such file", { error: false }))).toBeUndefined();
  for (const text of ["exit code: 1", "Process exited with code 2", "ran\nexit status: 127", '{"exit_code": -1}']) {
    expect(failureOf(text)).toMatchObject({ isTold: true });
    expect(failureOf(text.replace(/-?\d+/, "0"))).toBeUndefined();
  }
});

it.each([
  [true, "Error: no such file 'a.ts'", "cat: a.ts: No such file or directory", "fatal: not a git repository"],
  [true, "Permission denied", "2 failed, 3 passed", "command not found: pnpmm", '{"error": "invalid token"}'],
  [true, TRACEBACK("ModuleNotFoundError: No module named 'numpy'"), `${"part\n".repeat(99)}error: linking failed`],
  [false, "", "ok", "0 failed, 12 passed", "no errors", "Found 0 errors.", "errors: false", "timeout: 5"],
  [false, '{"error": null, "rows": 3}', "ℹ pass 3\nℹ fail 0", "ok 1 - access is denied\n# fail 0"],
  [false, "✔ fails on a missing file (1.9ms)\nℹ fail 0", "src/errors.ts\nsrc/on_failure.ts"],
  [false, "export class NotFoundError is in errors.ts", "added tests for error_handler"],
] as [boolean, ...string[]][])("reads a failure in words (%j): %j", (isOne, ...texts) => {
  expect(texts.filter((text) => isFailure("test", result(text), platform) !== isOne)).toEqual([]);
});

it("reads no failure where several lines of a file speak of one", () => {
  const source = "  1\tif (code === 'EACCES') return 'permission denied';\n  2\tthrow new Error('unknown');";

  expect(failureOf(source, "read_file")).toBeUndefined();
  expect(failureOf("cat: a.ts: No such file or directory\n", "read_file")).toBeDefined();
});

it("takes failures for one kind whatever names, paths and numbers they mention, and their lines for others", () => {
  const [one, other] = told(["Error: no such file 'src/a.ts'", "Error: no such file 'lib/b.ts'"].map(failure));

  expect(one!.failure!.kind).toBe(other!.failure!.kind);
  expect(one!.failure!.line).not.toBe(other!.failure!.line);
  expect(failureOf(TRACEBACK("KeyError: 'a'"))!.kind).not.toBe(failureOf(TRACEBACK("TypeError: not callable"))!.kind);
});

it.each([
  ["429 Too Many Requests", { isTransient: true }],
  ["connect ECONNREFUSED 127.0.0.1:5432", { isTransient: true }],
  ["403 Forbidden", { isFinal: true }],
  ["expected 2, got 3", { isFinal: false, isTransient: false }],
])("says whether a failure may pass: %j", (text, expected) => {
  expect(failureOf(failure(text))).toMatchObject(expected);
});

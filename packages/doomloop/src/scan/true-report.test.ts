import { afterAll, describe, expect, it } from "vitest";
import { step, times } from "../../../../test/builders.ts";
import { createCliSandbox, trace } from "../../../../test/cli-sandbox.ts";
import type { AgentEvent } from "../core/event.ts";
import type { LoopSummary } from "./report/report.ts";
import { loopInWords } from "./report/words.ts";

const sandbox = createCliSandbox();
afterAll(() => sandbox.remove());

async function loopsIn(events: readonly AgentEvent[]): Promise<readonly LoopSummary[]> {
  sandbox.write("run.jsonl", trace({ run: events }));
  return (await sandbox.reportOf(["run.jsonl"])).loops;
}

const numbered = <Made>(count: number, make: (at: number) => Made): Made[] =>
  Array.from({ length: count }, (_, at) => make(at));

const reads = (count: number, from = 0) =>
  numbered(count, (at) => step("read_file", { path: `f${from + at}.ts` }, `text ${from + at}`)).flat();

const TEST = step("bash", { command: "npm test" }, "FAIL cart.test.ts expected 42 received 41", { error: true });

/** Puts a step at a time, in milliseconds. */
const timed = (events: readonly AgentEvent[], at: number): AgentEvent[] => events.map((event) => ({ ...event, at }));

/** A few calls that show how fast a run is: five seconds for each. */
const warmUp = [0, 1, 2].flatMap((at) => timed(reads(1, 100 + at), at * 5_000));

describe("different searches", () => {
  const WORDS = ["login", "logout", "session", "cookie", "token", "jwt"];
  const GLOBS = ["*.ts", "*.js", "*.tsx", "*.md", "*.py", "*.go"];
  const searches: Record<string, readonly [tool: string, args: (at: number) => object, output: string, error?: true]> =
    {
      regex: ["search_files", (at) => ({ path: "src", regex: WORDS[at] }), "Found 0 results."],
      file_pattern: [
        "search_files",
        (at) => ({ path: "src", regex: "foo", file_pattern: GLOBS[at] }),
        "Found 0 results.",
      ],
      include: ["search_file_content", (at) => ({ pattern: "foo", include: GLOBS[at] }), "No matches found"],
      glob: ["Grep", (at) => ({ pattern: "foo", path: "/x", glob: GLOBS[at] }), "No matches found"],
      type: ["Grep", (at) => ({ pattern: "foo", type: GLOBS[at]!.slice(2) }), "No matches found"],
      repo: ["search_code", (at) => ({ query: "foo", repo: `acme/${WORDS[at]}` }), "[]"],
      project: ["jira_search", (at) => ({ query: "status=open", project: WORDS[at] }), "[]"],
      database: ["query", (at) => ({ query: "select count(*) from users", database: WORDS[at] }), "0"],
      namespace: ["list_pods", (at) => ({ query: "", namespace: WORDS[at] }), "No resources found"],
    };

  it.each(Object.entries(searches))("are not one call: another %s", async (_field, [tool, args, output]) => {
    const loops = await loopsIn([...reads(5), ...numbered(6, (at) => step(tool, args(at), output)).flat()]);

    expect(loops.filter(({ kind, areEqual }) => kind === "repeated-call" || areEqual)).toEqual([]);
  });
});

it("says 'same call' only of equal arguments", async () => {
  const ways = ["cat a.ts", "head -50 a.ts", "sed -n 1,50p a.ts", "cat ./a.ts", "tail a.ts", "cat a.ts"];
  const [alike] = await loopsIn(ways.flatMap((command) => step("bash", { command }, "let a = 1;\n".repeat(20))));
  const [equal] = await loopsIn(times(6, TEST));

  expect(alike).toMatchObject({ kind: "repeated-call", areEqual: false });
  expect(loopInWords(alike!)).toContain("(same thing again)");
  expect(equal).toMatchObject({ kind: "repeated-call", areEqual: true });
  expect(loopInWords(equal!)).toContain("(same call again)");
});

it("names the failing tests of a loop, and not the reads between them", async () => {
  const lap = (at: number) => [
    ...reads(7, 7 * at),
    ...step("edit", { path: "cart.ts", old: `a${at}`, new: `b${at}` }, `updated (${at})`),
    ...TEST,
  ];
  const [loop] = await loopsIn(numbered(6, lap).flat());

  expect(loop).toMatchObject({ kind: "test-fix", count: 6, onset: 9, end: 54 });
  expect(loop!.calls).toEqual([9, 18, 27, 36, 45, 54].map((call) => [call, call]));
  expect(loop!.afterOnset.calls).toBe(1);
  expect(loopInWords(loop!)).toBe("npm test, 6 times, between calls 9 and 54 (fixes without effect)");
});

it("counts every equal call, and says in the same line which did not count and why", async () => {
  const gaps = [5, 25, 28, 30, 6, 27, 5, 5, 6, 5, 6, 29, 26, 28, 30, 5, 27, 6, 5, 28, 26, 27, 29, 5];
  let at = 10_000;
  const events = gaps.flatMap((gap) => {
    at += gap * 1_000;
    return timed(step("Read", { file_path: "/x/auth.ts" }, "same text of auth"), at);
  });
  const [loop] = await loopsIn([...warmUp, ...events]);
  const passed = loop!.uncounted.filter(
    ({ call }) => !loop!.calls.some(([first, last]) => call >= first && call <= last),
  );

  expect([loop!.onset, loop!.end, loop!.count]).toEqual([4, 27, 24]);
  expect(passed.length).toBeGreaterThan(5);
  expect(new Set(passed.map(({ reason }) => reason))).toEqual(new Set(["waiting"]));
  expect(loopInWords(loop!)).toBe(
    `Read auth.ts, 24 times, ${passed.length} of them after a pause or waiting, calls 4 to 27 (same call again)`,
  );
});

it("counts tests that may have been waiting, all of them", async () => {
  const events = numbered(16, (at) => timed(TEST, 15_000 + at * 30_000)).flat();
  const [loop] = await loopsIn([...warmUp, ...events]);

  expect(loop!.count).toBe(16);
  expect(loopInWords(loop!)).toMatch(/^npm test, 16 times, \d of them after a pause or waiting, calls 4 to 19/);
});

it("names the tool first whose calls show a cycle", async () => {
  const lap = [
    ...step("view", { path: "a.ts" }, "const a = 1;"),
    ...step("bash", { command: "npm test" }, "1 failed", { error: true }),
  ];
  const [loop] = await loopsIn([...reads(3), ...times(6, lap)]);

  expect(loop).toMatchObject({ kind: "call-cycle", what: "view a.ts > npm test", tools: ["bash", "view"] });
});

it("takes times in traces for dates if they are milliseconds since 1970, and no others", async () => {
  const start = Date.UTC(2026, 0, 31, 12);
  const dated = numbered(3, (at) => timed(TEST, start + at * 1_000)).flat();
  const running = numbered(3, (at) => timed(TEST, 86_400_000 + at * 1_000)).flat();
  sandbox.write("run.jsonl", trace({ dated, running }));
  const { sessions } = await sandbox.reportOf(["run.jsonl"]);

  expect(sessions.map(({ startedAt, isFileTime }) => [startedAt, isFileTime])).toEqual(
    expect.arrayContaining([
      ["2026-01-31T12:00:00.000Z", false],
      [null, true],
    ]),
  );
});

describe("the times of a loop that the guard saw from several sides", () => {
  const failing = (tool: string, args: object, output: string) => step(tool, args, output, { error: true });

  it("count every call with the outcome", async () => {
    const search = (query: string) => failing("search_web", { query }, "Error: No such tool available: search_web");
    const denied = "cannot create regular file '/opt/site/app.js': Permission denied";
    const ways = ["cp app.js /opt", "install app.js /opt", "mv app.js /opt", "tee /opt/app.js", "rsync app.js /opt"];
    const [searches] = await loopsIn(numbered(9, (at) => search("ab"[at % 2]!)).flat());
    const [copies] = await loopsIn(numbered(10, (at) => failing("bash", { command: ways[at % 5] }, denied)).flat());

    expect(searches).toMatchObject({ calls: [[1, 9]], count: 9 });
    expect(copies).toMatchObject({ calls: [[1, 10]], count: 10 });
  });

  it("count every lap of a cycle", async () => {
    const file_path = "/home/ada/shop/src/tax.ts";
    const failure = (test: string) =>
      `Exit code 1\n FAIL src/tax.test.ts > ${test}\nAssertionError: expected 1 to be 2\n Tests 1 failed | 43 passed (44)\n`;
    const lap = ["rounds", "adds"].flatMap((test, at) => [
      ...step(
        "Edit",
        { file_path, old_string: "AB"[at], new_string: "BA"[at] },
        `The file ${file_path} has been updated.`,
      ),
      ...failing("Bash", { command: "npm test" }, failure(test)),
    ]);
    const [loop] = await loopsIn(times(4, lap));

    expect(loop).toMatchObject({ kind: "call-cycle", calls: [[1, 16]], period: 4, count: 4 });
  });
});

it("says with --all why a repeat outside of loops added nothing", async () => {
  const edit = (at: number) => step("edit", { path: "cart.ts", old: `a${at}`, new: `b${at}` }, `updated (${at})`);
  const passing = step("bash", { command: "npm test" }, "Tests 30 passed");
  sandbox.write("quiet.jsonl", trace({ quiet: numbered(3, (at) => [...edit(at), ...passing]).flat() }));
  const { stdout } = await sandbox.doomloop(["show", "quiet", "quiet.jsonl", "--all"]);

  expect(stdout).toContain("No loops.");
  expect(stdout.match(/npm test +ok\n +adds nothing: something was changed in between\n/g)).toHaveLength(2);
});

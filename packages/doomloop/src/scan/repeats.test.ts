import { afterAll, expect, it } from "vitest";
import { step, times } from "../../../../test/builders.ts";
import { createCliSandbox, trace } from "../../../../test/cli-sandbox.ts";

const sandbox = createCliSandbox();
afterAll(() => sandbox.remove());

const test = (failing: number) =>
  step("bash", { command: "npm test" }, `${failing} tests failed, ${20 - failing} passed`, { error: true });
const edit = (at: number) => step("edit", { path: "a.ts", old: `a${at}`, new: `b${at}` }, `updated ${at}`);

it("says what was repeated, and why it is no loop", async () => {
  const events = [8, 7, 6, 5].flatMap((failing) => [...edit(failing), ...test(failing)]);
  sandbox.write("run.jsonl", trace({ run: events }));
  const { repeated, loops } = await sandbox.reportOf(["run.jsonl"]);

  expect(loops).toEqual([]);
  expect(repeated).toMatchObject([{ what: "npm test", times: 4, reason: "new-outcome" }]);
});

it("names the three calls that were made most often, and none that is in a loop", async () => {
  const read = (name: string) => step("read_file", { path: name }, `text of ${name}`);
  const often = ["a.ts", "b.ts", "c.ts", "d.ts"].flatMap((name, at) =>
    Array.from({ length: 3 + at }, (_, time) => [...read(name), ...edit(10 * at + time)]).flat(),
  );
  const loop = times(12, step("read_file", { path: "e.ts" }, "no such file", { error: true }));
  sandbox.write("run.jsonl", trace({ often, loop }));
  const { repeated, loops } = await sandbox.reportOf(["run.jsonl"]);

  expect(loops).toHaveLength(1);
  expect(repeated.map(({ what, times: made }) => `${what} ${made}`)).toEqual([
    "read_file d.ts 6",
    "read_file c.ts 5",
    "read_file b.ts 4",
  ]);
});

it("passes over a call that a loop of another kind names", async () => {
  const events = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((at) => [...edit(at), ...test(5)]);
  sandbox.write("fixes.jsonl", trace({ fixes: events }));
  const { repeated, loops } = await sandbox.reportOf(["fixes.jsonl"]);

  expect(loops).toMatchObject([{ kind: "test-fix" }]);
  expect(repeated).toEqual([]);
});

it("says that calls were asked for, or that they came to something else, where nothing was changed", async () => {
  const asked = { type: "user" as const, text: "run npm test 20 times and count the failures" };
  const printed = (at: number) =>
    `> vitest run\n\n Test Files  ${3 + ((at * 7) % 5)} passed\n Tests  ${20 + ((at * 13) % 37)} passed\n Duration ${1 + (at % 7)}.${10 + at}s`;
  const runs = Array.from({ length: 20 }, (_, at) => step("Bash", { command: "npm test" }, printed(at))).flat();
  sandbox.write("asked/asked.jsonl", trace({ asked: [asked, ...runs] }));
  sandbox.write("unasked/unasked.jsonl", trace({ unasked: runs }));

  expect((await sandbox.reportOf(["asked"])).repeated).toMatchObject([{ times: 20, reason: "asked-for" }]);
  expect((await sandbox.reportOf(["unasked"])).repeated).toMatchObject([{ times: 20, reason: "new-outcome" }]);
});

const DAY_MS = 86_400_000;

/** Different calls, one each second from a time on. */
const numbered = (calls: number, from: number) =>
  Array.from({ length: calls }, (_, at) =>
    step("read_file", { path: `${at}.ts` }, `text ${at}`).map((event) => ({ ...event, at: from + at * 1_000 })),
  ).flat();

it("compares with the time before, in which a session ended, and keeps the filters", async () => {
  const now = Date.now();
  const at = (days: number, session: string, calls: number) =>
    sandbox.write(`weeks/${session}.jsonl`, trace({ [session]: numbered(calls, now - days * DAY_MS) }));
  at(1, "new", 8);
  at(9, "old", 10);
  at(10, "older", 12);
  at(20, "oldest", 5);
  const { compared, totals } = await sandbox.reportOf(["weeks", "--compare", "7d"]);
  const one = await sandbox.reportOf(["weeks", "--compare", "7d", "--session", "old"]);
  const wrong = await sandbox.doomloop(["scan", "weeks", "--compare", "7d", "--last", "3d"]);
  const printed = await sandbox.doomloop(["scan", "weeks", "--compare", "7d"]);

  expect([totals.sessions, totals.calls]).toEqual([1, 8]);
  expect([compared!.totals.sessions, compared!.totals.calls]).toEqual([2, 22]);
  expect(Date.parse(compared!.until) - Date.parse(compared!.since)).toBe(7 * DAY_MS);
  expect([one.totals.sessions, one.compared!.totals.sessions]).toEqual([0, 2]);
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    "doomloop: --compare sets the time range: --last and --since cannot be used with it\n",
  ]);
  expect(printed.stdout).toMatch(/Compared with \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d\n/);
  expect(printed.stdout).toMatch(/\n {2}sessions +1 +2\n/);
});

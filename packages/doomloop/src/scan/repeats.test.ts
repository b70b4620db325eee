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

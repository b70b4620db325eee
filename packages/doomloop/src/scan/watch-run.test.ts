import fc from "fast-check";
import { expect, it } from "vitest";
import { call, result, step, times } from "../../../../test/builders.ts";
import type { CallEvent } from "../core/event.ts";
import { closeRun } from "./close-run.ts";
import { createCountedCalls, watchRun } from "./watch-run.ts";

const RULES = { note: { ignore: true } };

it("converts between call numbers of the guard and of the recording, whatever is ignored", () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 60 }), (isIgnored) => {
      const calls = createCountedCalls(RULES);
      for (const [index, ignored] of isIgnored.entries()) calls.note(index, call(ignored ? "note" : "ls") as CallEvent);
      const counted = [...isIgnored.keys()].filter((index) => !isIgnored[index]);

      expect(counted.map((_, place) => calls.indexOf(place))).toEqual(counted);
      expect(counted.map((index) => calls.placeOf(index))).toEqual([...counted.keys()]);
    }),
  );
});

it("stays exact about the latest calls of a long run", () => {
  const calls = createCountedCalls({ note: { ignore: (args) => args !== "x" } });
  for (let index = 0; index < 10_000; index++)
    calls.note(index, { ...(call("note") as CallEvent), args: index % 2 ? "x" : "" });

  expect([calls.indexOf(4_999), calls.placeOf(9_999), calls.indexOf(4_500)]).toEqual([9_999, 4_999, 9_001]);
});

it("finds where a loop began and what repeated, after calls that a rule ignores", () => {
  const watch = watchRun("run", { guardOptions: { rules: RULES }, keepsAll: false, includesContent: false });
  const notes = Array.from({ length: 30 }, (_, at) => step("note", { at }, `noted ${at}`)).flat();
  const loop = times(5, step("read_file", { path: "a.ts" }, "no such file", { error: true }));
  for (const event of [...notes, ...loop]) watch.observe(event, undefined);
  const { loops } = closeRun(watch, "trace", { prices: undefined, tokensPerCharacter: undefined });

  expect(loops).toMatchObject([{ onset: 30, end: 34, what: "read_file a.ts" }]);
});

it("gives a result whose id no call has to none", () => {
  const watch = watchRun("run", { guardOptions: {}, keepsAll: true, includesContent: true });
  const made = [call("bash", { command: "npm test" }, { id: "a" }), result("1 failed", { id: "a" })];
  for (const event of [...made, result("3 passed", { id: "z" })]) watch.observe(event, undefined);

  expect(watch.steps()).toMatchObject([{ call: 1, output: "1 failed" }]);
});

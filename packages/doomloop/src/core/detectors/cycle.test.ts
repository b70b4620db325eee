import fc from "fast-check";
import { expect, it } from "vitest";
import { call, decisionsOf, round, step, times } from "../../../../../test/builders.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";

const look = (path: string) => step("read_file", { path }, `this is ${path}, and nothing else`);
const lap = [...look("config.ts"), ...look("session.ts")];
const drafts = (at: number) => [
  ...step("create_draft", { title: "Report" }, `created draft-${at}4711`),
  ...step("publish_draft", { id: `draft-${at}4711` }, "error: the title is not allowed", { error: true }),
];
const job = (at: number) => step("pop_job", {}, `job ${at}: resize picture ${at}`);
const blind = ["a", "bazaar", "home"].flatMap((page) => [round, call("open", { page })]);

it("tells of the same calls in turn in the third lap, and not before", () => {
  expect(decisionsOf(times(2, lap))).toEqual([]);
  expect(decisionsOf(times(3, lap))[0]).toMatchObject({ finding: { kind: "call-cycle", period: 2 } });
});

it("tells of laps that differ in what each of them has made, and of laps without results", () => {
  const kinds = decisionsOf([1, 2, 3, 4, 5, 6, 7, 8].flatMap(drafts)).map(({ finding }) => finding?.kind);

  expect(kinds).toContain("call-cycle");
  expect(decisionsOf(times(5, blind))).not.toEqual([]);
});

it("leaves laps alone that each bring something new", () => {
  expect(decisionsOf([1, 2, 3, 4, 5, 6, 7, 8].flatMap((at) => [...job(at), ...step("acknowledge", {}, "ok")]))).toEqual(
    [],
  );
});

it("ends the run, however many calls are in a lap, and wherever it begins", () => {
  const property = fc.property(fc.integer({ min: 2, max: 9 }), fc.nat(8), (length, from) => {
    const files = Array.from({ length }, (_, at) => look(`${"abcdefghi"[(at + from) % length]}.ts`)).flat();
    expect(decisionsOf(times(60, files)).at(-1)?.action).toBe("stop");
  });
  fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 50) });
});

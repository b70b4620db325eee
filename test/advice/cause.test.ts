import { expect, it } from "vitest";
import { closeRun } from "../../packages/doomloop/src/scan/close-run.ts";
import { watchRun } from "../../packages/doomloop/src/scan/watch-run.ts";
import { call } from "../builders.ts";
import { KNOWN_SESSIONS } from "./known-causes.ts";
import { LABELLED_LOOPS, type LabelledLoop } from "./labelled-loops.ts";

/** The cause of the first loop in a run, as a scan tells it. */
function causeIn({ events }: Pick<LabelledLoop, "events">): string {
  const watch = watchRun("run", { guardOptions: {}, keepsAll: false, includesContent: false });
  for (const event of events) watch.observe(event, undefined);
  return closeRun(watch, "trace", { prices: undefined, tokensPerCharacter: undefined }).loops[0]?.cause ?? "no loop";
}

it.each([
  ["30 loops", LABELLED_LOOPS.filter(({ isHeldOut }) => !isHeldOut), 30, 27],
  ["20 loops that were held out", LABELLED_LOOPS.filter(({ isHeldOut }) => isHeldOut), 20, 18],
  ["40 sessions of ten agents", KNOWN_SESSIONS, 40, 32],
] as const)("names causes in %s, and nine in ten of them are right", (_title, loops, all, least) => {
  const judged = loops.map((loop) => ({ cause: loop.cause, told: causeIn(loop) }));
  const named = judged.filter(({ told }) => told !== "unknown");
  const wrong = named.filter(({ cause, told }) => cause !== told).map(({ cause, told }) => `${cause}: ${told}`);

  expect(loops).toHaveLength(all);
  expect(named.length).toBeGreaterThanOrEqual(least);
  expect(wrong.length, wrong.join("\n")).toBeLessThanOrEqual(named.length / 10);
});

it("claims no cause for a run that shows no results", () => {
  const events = Array.from({ length: 40 }, (_, at) => call("click", { selector: "#save" }, { id: `c${at}` }));

  expect(causeIn({ events })).toBe("unknown");
});

import { expect, it } from "vitest";
import { closeRun } from "../../packages/doomloop/src/scan/close-run.ts";
import { watchRun } from "../../packages/doomloop/src/scan/watch-run.ts";
import { call } from "../builders.ts";
import { LABELLED_LOOPS, type LabelledLoop } from "./labelled-loops.ts";

/** The cause of the first loop in a run, as a scan tells it. */
function causeIn({ events }: LabelledLoop): string {
  const watch = watchRun("run", { guardOptions: {}, keepsAll: false, includesContent: false });
  for (const event of events) watch.observe(event, undefined);
  return closeRun(watch, "trace", { prices: undefined, tokensPerCharacter: undefined }).loops[0]?.cause ?? "no loop";
}

const judged = LABELLED_LOOPS.map((loop) => ({ ...loop, told: causeIn(loop) }));

it.each([
  ["that rules were written for", false, 30],
  ["that were held out", true, 20],
] as const)("finds the cause of at least four in five loops %s", (_title, isHeldOut, all) => {
  const loops = judged.filter((loop) => loop.isHeldOut === isHeldOut);
  const wrong = loops.filter(({ cause, told }) => cause !== told).map(({ cause, told }) => `${cause}: ${told}`);

  expect(loops).toHaveLength(all);
  expect(wrong.length, wrong.join("\n")).toBeLessThanOrEqual(all / 5);
});

it("claims no cause for a run that shows no results", () => {
  const events = Array.from({ length: 40 }, (_, at) => call("click", { selector: "#save" }, { id: `c${at}` }));

  expect(causeIn({ cause: "unknown", events, isHeldOut: false })).toBe("unknown");
});

import { createGuard } from "doomloop";
import { describe, expect, it } from "vitest";
import { step, text, times } from "../../../../test/builders.ts";
import { memberOf } from "../fleet/fleet-evidence.ts";
import { createTally, statsOf } from "./stats.ts";

const NUDGES = { obeyed: 0, ignored: 0 };
const read = step("read_file", { path: "a.ts" }, "export const a = 1;");
const news = (count: number) =>
  Array.from({ length: count }, (_, at) => step("get_record", { id: 100 + at }, `record ${at}`)).flat();

describe("statsOf", () => {
  it("is all noughts at the beginning", () => {
    expect(statsOf(createTally(), NUDGES)).toEqual({
      checks: 0,
      findings: {},
      decisions: { continue: 0, nudge: 0, block: 0, restart: 0, stop: 0 },
      would: { nudge: 0, block: 0, restart: 0, stop: 0 },
      meanConfidence: 0,
      falsePositives: 0,
      nudges: NUDGES,
      opinions: { asked: 0, stuck: 0, working: 0, unsure: 0, late: 0 },
      faults: 0,
    });
  });

  it("has the mean confidence over all findings", () => {
    const tally = { ...createTally(), findings: { "repeated-call": 3, "text-only": 1 }, confidence: 3 };

    expect(statsOf(tally, NUDGES).meanConfidence).toBe(0.75);
  });

  it("does not change with the tally any more", () => {
    const tally = createTally();
    const stats = statsOf(tally, NUDGES);
    tally.decisions.stop++;
    tally.findings["text-only"] = 1;

    expect(stats).toMatchObject({ findings: {}, decisions: { stop: 0 } });
  });
});

describe("a guard's statistics", () => {
  it("count what was looked at, found and done", () => {
    const guard = createGuard();
    for (const event of [...times(5, read), text("Done.")]) guard.observe(event);

    // The loop shows three times, and is told of twice.
    expect(guard.stats()).toMatchObject({
      checks: 6,
      findings: { "repeated-call": 3 },
      decisions: { continue: 9, nudge: 2, block: 0, restart: 0, stop: 0 },
      meanConfidence: 0.98,
      opinions: { asked: 0, stuck: 0, working: 0, unsure: 0, late: 0 },
      faults: 0,
    });
  });

  it("count a nudge as ignored if the loop went on, as obeyed if it did not", () => {
    const ignoring = createGuard();
    for (const event of times(5, read)) ignoring.observe(event);
    const obeying = createGuard();
    for (const event of [...times(3, read), ...news(6)]) obeying.observe(event);

    expect(ignoring.stats().nudges).toEqual({ obeyed: 0, ignored: 1 });
    expect(obeying.stats().nudges).toEqual({ obeyed: 1, ignored: 0 });
  });

  it("count what was declared to be no loop", () => {
    const guard = createGuard();
    const [found] = times(3, read).flatMap((event) => guard.observe(event).finding ?? []);
    guard.allow(found!);

    expect(guard.stats().falsePositives).toBe(1);
  });

  it.each([
    ["a rule", { rules: { read_file: { repeat: "never" as const } } }, "repeated-call"],
    [
      "the fleet",
      { fleet: memberOf({ world: "here", report() {}, verdict: () => ({ calls: 9, workers: 3, windowMs: 60_000 }) }) },
      "fleet",
    ],
  ])("count the findings of %s as well", (_what, options, kind) => {
    const guard = createGuard(options);
    const decisions = times(2, read).map((event) => guard.observe(event));

    expect(decisions.flatMap(({ finding }) => finding?.kind ?? [])).toContain(kind);
    expect(guard.stats().findings).toMatchObject({ [kind]: 1 });
  });
});

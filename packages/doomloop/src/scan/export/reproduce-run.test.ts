import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventStreams } from "../../../../../test/arbitrary-events.ts";
import { call, result, times } from "../../../../../test/builders.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { readScenarios } from "../../../../../test/scenarios/read-scenarios.ts";
import { seededDraw } from "../../../../../test/seeded-draw.ts";
import type { AgentEvent } from "../../core/event.ts";
import { replayRun } from "../replay/replay-run.ts";
import { reproduceRun } from "./reproduce-run.ts";

const brief = (events: readonly AgentEvent[], options = {}) =>
  replayRun(events, options).decisions.map(({ call: at, action, kind }) => ({ call: at, action, kind }));

const lapsOf = (event: AgentEvent): AgentEvent[] => times(6, [event, result("Error: the very same")]);

describe("reproduceRun", () => {
  it.each(readScenarios())("keeps the decisions on $run", ({ events, options }) => {
    const { events: redacted, options: carried, isSame } = reproduceRun(events, options ?? {}, seededDraw(1));

    expect(isSame).toBe(true);
    expect(brief(redacted, carried)).toEqual(brief(events, options));
  });

  it("reports whether decisions stay the same, deterministically for any run", () => {
    fc.assert(
      fc.property(eventStreams, fc.nat(), (events, seed) => {
        const reproduced = reproduceRun(events, {}, seededDraw(seed));

        expect(reproduced.isSame).toBe(
          JSON.stringify(brief(reproduced.events)) === JSON.stringify(reproduced.decisions),
        );
        expect(reproduced.decisions).toEqual(brief(events));
        expect(reproduceRun(events, {}, seededDraw(seed))).toEqual(reproduced);
      }),
      { numRuns: propertyRuns() / 5 },
    );
  });

  it("reveals no more of a run that it cannot reproduce than of one that it can", () => {
    const events = lapsOf(call("look", { at: "Databricks, compiling" }));
    const { events: redacted, isSame } = reproduceRun(
      events,
      { rules: { look: { ignore: () => true } } },
      seededDraw(3),
    );

    expect(isSame).toBe(false);
    expect(JSON.stringify(redacted)).not.toMatch(/Data|ing/);
  });

  it("keeps tool rules under the names that the tools have in the trace", () => {
    const events = lapsOf(call("acme_frobnicate", { customer: "Ada" }));
    const options = { rules: { acme_frobnicate: { threshold: 2, identity: ["customer"] }, ada: { ignore: true } } };
    const reproduced = reproduceRun(events, options, seededDraw(2));

    expect(reproduced.isSame).toBe(true);
    expect(reproduced.decisions[0]).toMatchObject({ call: 1, action: "nudge" });
    expect(JSON.stringify(reproduced)).not.toMatch(/acme|frobnicate|customer|ada/i);
    expect(brief(reproduced.events, reproduced.options)).toEqual(brief(events, options));
  });

  it("does not claim to reproduce a decision that depends on a function", () => {
    const events = lapsOf(call("look", { at: "a" }));
    const options = { rules: { look: { ignore: () => true } } };

    expect(reproduceRun(events, options, seededDraw(3))).toMatchObject({ isSame: false, decisions: [] });
  });
});

import { describe, expect, it } from "vitest";
import { hostRun } from "../../bench/quality/host-run.ts";
import type { ResultEvent } from "../../packages/doomloop/src/core/event.ts";
import { type AgentEvent, createGuard } from "../../packages/doomloop/src/index.ts";
import { call, result, step, times } from "../builders.ts";

const failing = step("read", { path: "a" }, "no such file", { error: true });
const looping = times(40, failing);

describe("a hosted run", () => {
  it("ends with a stop", () => {
    const { decisions, calls } = hostRun(looping);

    expect(decisions.filter(({ action }) => action === "stop")).toHaveLength(1);
    expect(decisions.at(-1)!.action).toBe("stop");
    expect(calls).toBeLessThan(40);
  });

  /** What a guard was told, and which calls it refused. */
  const listen = (events: readonly AgentEvent[]) => {
    const guard = createGuard({ ladder: ["block"] });
    const told: AgentEvent[] = [];
    const observe = (event: AgentEvent) => {
      told.push(event);
      return guard.observe(event);
    };
    const { decisions } = hostRun(events, {}, { observe, stats: guard.stats });
    const refused = decisions.filter(({ action }) => action === "block").map(({ call: at }) => at);
    return { told: told.filter(({ type }) => type === "result") as ResultEvent[], refused };
  };

  it("has refusals in place of the results of refused calls", () => {
    const { told, refused } = listen(looping);

    expect(refused.length).toBeGreaterThan(0);
    expect(told).toHaveLength(40);
    for (const [at, { output, synthetic }] of told.entries()) {
      expect(synthetic === true).toBe(refused.includes(at));
      expect(output === "no such file").toBe(!refused.includes(at));
    }
  });

  it("has refusals in the right places among calls made side by side", () => {
    const { told } = listen([
      ...times(12, failing),
      call("read", { path: "a" }, { id: "a", at: 100 }),
      call("note", { text: "fine" }, { id: "b", at: 100 }),
      result("noted", { id: "b", at: 101 }),
      result("no such file", { id: "a", at: 101, error: true }),
    ]);

    expect(told.slice(-2)).toMatchObject([
      { id: "b", output: "noted", at: 101 },
      { id: "a", synthetic: true, at: 100 },
    ]);
  });

  it("counts events that are none", () => {
    const events = [null, "call", ...failing] as unknown as AgentEvent[];

    expect(hostRun(events)).toMatchObject({ calls: 1, badEvents: 2, decisions: [] });
  });
});

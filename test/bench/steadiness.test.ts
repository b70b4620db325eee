import { describe, expect, it } from "vitest";
import { changes } from "../../bench/steadiness/changes.ts";
import { honestRuns } from "../../bench/steadiness/honest.ts";
import { measureSteadiness } from "../../bench/steadiness/measure-steadiness.ts";
import { tellRun } from "../../bench/steadiness/tell-run.ts";
import type { Action } from "../../packages/doomloop/src/core/decision.ts";
import { createGuard } from "../../packages/doomloop/src/index.ts";
import { madeUpGuard } from "./made-up-guard.ts";

/** Words from the third call on, refusals from the tenth, and the end at the twentieth. */
const zealous = (call: number): Action => (call < 3 ? "continue" : call < 10 ? "nudge" : call < 20 ? "block" : "stop");

describe("steadiness", () => {
  it("is nothing for a guard that never speaks", () => {
    expect(measureSteadiness(madeUpGuard(() => "continue")).overall).toBe(0);
  });

  it("is little for one that counts any calls", () => {
    const { loopShare, honestShare, overall } = measureSteadiness(madeUpGuard(zealous));

    expect(loopShare).toBe(1);
    expect(honestShare).toBeLessThan(0.3);
    expect(overall).toBeLessThan(0.3);
  });

  it("asks with real requests in place of the made-up ones", () => {
    const { loops, honest } = measureSteadiness(madeUpGuard(zealous), ["Where is my order?", "Cancel it."]);

    expect(new Set(loops.map(({ change }) => change))).toEqual(new Set(["0", "1"]));
    expect(honest).toHaveLength(3 * honestRuns.length);
  });

  it("tells one run in many ways, each under a name of its own", () => {
    const names = changes.map(({ group, name }) => `${group}: ${name}`);

    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(90);
  });
});

describe("a failing call", () => {
  const failing = { name: "", request: "Add the invoice.", calls: 30 } as const;
  const step = () => ({ tool: "add_invoice", args: { id: 4 }, output: "customer 4 has no account", isFailure: true });

  it.each(changes.filter(({ group }) => group === "frameworks' errors"))(
    "is told at 3, refused at 10 and ended at 20 in the words of $name",
    ({ host }) => {
      expect(tellRun(() => createGuard(), { ...failing, step }, host)).toEqual({ told: 3, refused: 10, ended: 20 });
    },
  );
});

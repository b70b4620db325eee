import { createGuard, type GuardOptions, isDoomloopError } from "doomloop";
import { describe, expect, it } from "vitest";
import { actionsOf, call, decisionsOf, failure, result, round, step, times } from "../../../../../test/builders.ts";
import type { AgentEvent } from "../event.ts";

const options: GuardOptions = { rules: { pay: { repeat: "never" } } };
const pay = call("pay", { invoice: 12 });
const paid = [pay, result("paid")];

/** What a guard says to the last of these events. */
function lastOf(events: readonly AgentEvent[], own: GuardOptions = {}) {
  const guard = createGuard({ ...options, ...own });
  return events.map((event) => guard.observe(event)).at(-1)!;
}

const each = (count: number, eventsOf: (at: number) => readonly AgentEvent[]) =>
  Array.from({ length: count }, (_, at) => eventsOf(at)).flat();

/** Calls that are all different. */
const others = (count: number) => each(count, (at) => step("read_file", { path: `${at}.ts` }, `content ${at}`));

describe("a tool that must not repeat", () => {
  it("has an equal call refused that succeeded before", () => {
    expect(lastOf([...paid, pay])).toMatchObject({
      action: "block",
      finding: { kind: "repeated-call", steps: [1], count: 2, confidence: 1 },
    });
    expect(lastOf([...paid, pay]).finding?.evidence).toEqual({
      outcome: "blind",
      isFuzzy: false,
      isWaiting: false,
      isFailing: false,
      isBusy: false,
    });
  });

  it.each<[string, AgentEvent[]]>([
    ["is the first", [pay]],
    ["failed before", [pay, failure("declined"), pay]],
    ["has other arguments", [...paid, call("pay", { invoice: 13 })]],
  ])("may make a call that %s", (_what, events) => {
    expect(lastOf(events).action).toBe("continue");
  });

  it("is remembered however many other calls come in between", () => {
    expect(lastOf([...paid, ...others(300), pay]).action).toBe("block");
  });

  it("is remembered where no result is ever reported", () => {
    const unanswered = others(100).filter(({ type }) => type === "call");

    expect(lastOf([pay, ...unanswered, pay]).action).toBe("block");
  });

  it("has a second equal call refused while the first is under way", () => {
    const [first, second] = [call("pay", { invoice: 12 }, { id: "a" }), call("pay", { invoice: 12 }, { id: "b" })];

    expect(lastOf([first, second]).action).toBe("block");
    expect(lastOf([first, result("declined", { id: "a", error: true }), second]).action).toBe("continue");
  });

  it("is remembered when the run starts over, also what was under way then", () => {
    const looping = times(6, [round, ...step("read_file", { path: "a" }, "x".repeat(300))]);
    const own: GuardOptions = { ladder: ["nudge", "restart"], levels: { refused: 5, ended: 6 } };
    const late = call("pay", { invoice: 99 }, { id: "late" });

    expect(actionsOf([...paid, ...looping], { ...options, ...own })).toContain("restart");
    expect(lastOf([...paid, ...looping, pay], own).action).toBe("block");
    expect(lastOf([late, ...looping, call("pay", { invoice: 99 }, { id: "other" })], own).action).toBe("block");
  });

  it("is remembered over a snapshot, and forgotten with the run", () => {
    const guard = createGuard(options);
    for (const event of [...paid, ...others(200)]) guard.observe(event);
    const snapshot = JSON.parse(JSON.stringify(guard.snapshot()));
    guard.reset();

    expect(createGuard({ ...options, snapshot }).observe(pay).action).toBe("block");
    expect(guard.observe(pay).action).toBe("continue");
  });

  it("is remembered for the latest 512 calls, and the host is told when there are more", () => {
    const faults: unknown[] = [];
    const guard = createGuard({ ...options, onFault: (fault) => faults.push(fault) });
    const payments = (count: number) => each(count, (at) => step("pay", { invoice: at }, `paid ${at}`));
    for (const event of payments(512)) guard.observe(event);
    expect(faults).toEqual([]);
    expect(guard.observe(call("pay", { invoice: 0 })).action).toBe("block");
    for (const event of each(40, (at) => step("pay", { invoice: 1000 + at }, `paid ${at}`))) guard.observe(event);

    expect(faults).toHaveLength(1);
    expect(isDoomloopError(faults[0]) && faults[0].message).toContain("the guard remembers 512 calls");
    expect(guard.observe(call("pay", { invoice: 100 })).action).toBe("block");
    expect(JSON.stringify(guard.snapshot()).length).toBeLessThanOrEqual(65_536);
  });

  it.each(["Failed to load the logo. Payment sent.", { success: true, warning: "Error: no logo" }])(
    "counts as done what only sounds like a failure: %j",
    (output) => {
      expect(lastOf([pay, result(output), pay]).action).toBe("block");
      expect(lastOf([pay, result(output, { error: true }), pay]).action).toBe("continue");
    },
  );

  it("goes by what its rule says makes two calls the same", () => {
    const rules = { pay: { repeat: "never", identity: ["to"] } } as const;
    const [one, other, third] = [
      { to: "bob", key: 1 },
      { to: "bob", key: 2 },
      { to: "ann", key: 2 },
    ].map((args, at) => call("pay", args, { id: `${at}` }));

    expect(lastOf([one!, result("paid", { id: "0" }), other!], { rules }).action).toBe("block");
    expect(lastOf([one!, other!], { rules }).action).toBe("block");
    expect(lastOf([one!, result("paid", { id: "0" }), third!], { rules }).action).toBe("continue");
  });

  it("gives the loop the identity that it has where it is only told", () => {
    const [told] = decisionsOf(times(4, paid), { detectors: { "repeated-call": { threshold: 2 } } });

    expect(lastOf([...paid, pay]).finding?.loop).toBe(told?.finding?.loop);
  });
});

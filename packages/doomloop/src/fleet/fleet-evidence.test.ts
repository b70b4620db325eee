import { type AgentEvent, createGuard, type GuardOptions } from "doomloop";
import type { FleetMode } from "doomloop/fleet";
import { describe, expect, it } from "vitest";
import { round, step, times } from "../../../../test/builders.ts";
import { memberOf } from "./fleet-evidence.ts";
import type { FleetReport, FleetSide } from "./fleet-member.ts";

/** Long enough that having it again to the letter proves that nothing happened. */
const RECORD =
  "This record of a customer does not change, however often and in whatever mood somebody asks for it today. ".repeat(
    2,
  );
const OTHER =
  "Another customer, whose house has been empty since the spring of that year and who left no address behind. ".repeat(
    2,
  );
const read = step("read_file", { path: "a.ts" }, RECORD);
const other = step("read_file", { path: "b.ts" }, OTHER);

function fail(): never {
  throw new Error("no");
}

type WatchedOptions = Omit<GuardOptions, "fleet"> & { readonly fleet?: FleetSide };

function watched({ fleet, ...options }: WatchedOptions = {}) {
  const faults: unknown[] = [];
  const joined = fleet && { fleet: memberOf(fleet) };
  const guard = createGuard({ ...options, ...joined, onFault: (fault) => void faults.push(fault) });
  const observeAll = (events: readonly AgentEvent[]) => events.map((event) => guard.observe(event));
  return { guard, faults, observeAll };
}

describe("the fleet's word", () => {
  const fleet = { world: "here", report() {}, verdict: () => ({ calls: 9, workers: 3, windowMs: 60_000 }) };

  it("is a nudge before the call, once for each call, and never more", () => {
    const { observeAll } = watched({ fleet, detectors: { "repeated-call": false, stalled: false } });
    const decisions = observeAll(times(12, read));

    expect(decisions[0]).toMatchObject({
      action: "nudge",
      finding: { kind: "fleet", count: 9, evidence: { workers: 3 } },
    });
    expect(decisions.slice(1).every(({ action }) => action === "continue")).toBe(true);
  });

  it("is heard after a loop of one's own too, and adds nothing to it", () => {
    let asked = 0;
    const brief = { world: "here", report() {}, verdict: () => (asked++ < 2 ? fleet.verdict() : undefined) };
    const { observeAll } = watched({ fleet: brief });
    const decisions = observeAll([...read, ...other, ...times(3, read)]).filter(({ action }) => action !== "continue");

    expect(decisions.map(({ finding }) => finding?.kind)).toEqual(["fleet", "fleet", "repeated-call"]);
    expect(decisions[2]?.message).not.toMatch(/Loop:|Last warning/);
  });

  it("lets what the run itself shows be refused after half of the rounds", () => {
    const firstOf = (action: string, options: WatchedOptions) =>
      Math.floor(
        watched(options)
          .observeAll(times(40, read))
          .findIndex((decision) => decision.action === action) / 2,
      );

    expect(firstOf("block", { fleet })).toBeLessThan(firstOf("block", {}));
    expect(firstOf("block", { fleet })).toBeGreaterThanOrEqual(5);
    expect(firstOf("stop", { fleet })).toBeGreaterThanOrEqual(10);
  });

  it("puts guards in shadow: they say what they see, do nothing, and begin with a nudge afterwards", () => {
    let mode: FleetMode = "shadow";
    const { guard, observeAll } = watched({ fleet: { report() {}, verdict: () => undefined, mode: () => mode } });
    const unseen = observeAll(times(12, read));

    expect(new Set(unseen.map(({ action }) => action))).toEqual(new Set(["continue"]));
    expect(unseen.at(-1)).toMatchObject({ finding: { kind: "repeated-call" }, explanation: expect.any(String) });
    mode = "on";
    const [before, after] = observeAll(read);
    expect([before?.action, after?.action]).toEqual(["continue", "nudge"]);
    expect(after?.message).not.toMatch(/Loop:|Last warning/);
    expect(guard.stats().decisions).toMatchObject({ block: 0, stop: 0 });
  });

  it("in shadow names a dead end once, and tells it once when it may", () => {
    let mode: FleetMode = "shadow";
    const { observeAll } = watched({ fleet: { ...fleet, mode: () => mode } });
    const unseen = observeAll([...read, ...read]).filter(({ finding }) => finding?.kind === "fleet");
    mode = "on";
    const seen = observeAll([...read, ...read]).filter(({ finding }) => finding?.kind === "fleet");

    expect([unseen, seen].map((decisions) => decisions.map(({ action }) => action))).toEqual([["continue"], ["nudge"]]);
  });

  it("switches guards off: they say nothing and report nothing", () => {
    let reports = 0;
    const off = { ...fleet, report: () => reports++, mode: () => "off" as const };
    const decisions = watched({ fleet: off }).observeAll(times(12, read));

    expect(decisions.every((decision) => decision.action === "continue" && decision.finding === undefined)).toBe(true);
    expect(reports).toBe(0);
  });

  it("is the same when it is only asked for", () => {
    const { guard, observeAll } = watched({ fleet: { ...fleet, mode: () => "shadow" } });
    observeAll(times(4, read));

    expect(guard.peek(read[0]!)).toEqual(guard.observe(read[0]!));
  });
});

describe("a run that is saved between a call and its result", () => {
  it("reports the call as one of the world that it is about", () => {
    const reports: (string | undefined)[] = [];
    const fleet = {
      report: ({ fingerprint }: FleetReport) => void reports.push(fingerprint),
      verdict: () => undefined,
    };
    const events = step("fetch", { url: "https://docs.example/v2" }, "not found", { error: true });
    watched({ fleet }).observeAll(events);
    const saved = createGuard({ fleet: memberOf(fleet) });
    saved.observe(events[0]!);
    watched({ fleet, snapshot: saved.snapshot() }).guard.observe(events[1]!);

    // Until its first result, a run is judged by its calls: so each call is reported twice.
    expect(reports).toHaveLength(4);
    expect(new Set(reports)).toEqual(new Set([expect.any(String)]));
  });
});

describe("a dead end that all know", () => {
  const page = (output: string) => step("fetch", { url: "https://docs.example/v2" }, output, { error: true });
  const known = { report() {}, verdict: () => ({ calls: 12, workers: 3, windowMs: 60_000 }) };

  it("is reported for failures of the address only, also after the guard was saved", () => {
    const counted = (output: string): boolean => {
      let count = 0;
      const side: FleetSide = {
        report: ({ isBarren }) => void (isBarren === true && count++),
        verdict: () => undefined,
      };
      const fleet = memberOf(side);
      let guard = createGuard({ fleet });
      for (let tries = 0; tries < 3; tries++) {
        guard.observe({ type: "call", id: "1", tool: "fetch", args: { url: "https://docs.example/v2" } });
        guard = createGuard({ fleet, snapshot: guard.snapshot() });
        guard.observe({ type: "result", id: "1", output, error: true });
      }
      return count > 0;
    };

    expect(["404 Not Found", "getaddrinfo ENOTFOUND docs.example"].map(counted)).toEqual([true, false]);
  });

  it("confirms no loop of calls that fail for a reason of their own", () => {
    const refusedAt = (output: string, fleet: FleetSide | undefined) =>
      watched({ ...(fleet && { fleet }) })
        .observeAll(times(40, [round, ...page(output)]))
        .findIndex(({ action }) => action === "block");

    expect(refusedAt("404: your draft has expired", known)).toBe(refusedAt("404: your draft has expired", undefined));
    expect(refusedAt("404 Not Found", known)).toBeLessThan(refusedAt("404 Not Found", undefined));
  });
});

describe("a fleet that is asked by peek", () => {
  it("hears of no step that is only asked for", () => {
    const reports: unknown[] = [];
    const { guard, observeAll } = watched({
      fleet: { report: (report) => void reports.push(report), verdict: () => undefined },
    });
    observeAll([...read, read[0]!]);
    const before = reports.length;
    guard.peek(read[1]!);

    expect(reports).toHaveLength(before);
    guard.observe(read[1]!);
    expect(reports).toHaveLength(before + 1);
  });
});

describe("a member of a fleet", () => {
  it("does what the host overrides", () => {
    const member = memberOf({
      world: "here",
      report() {},
      verdict: () => ({ calls: 9, workers: 3, windowMs: 60_000 }),
    });
    const actionsIn = (fleet: typeof member) => read.map((event) => createGuard({ fleet }).observe(event).action);

    expect(actionsIn(member)[0]).toBe("nudge");
    expect(actionsIn({ ...member, mode: () => "off" })[0]).toBe("continue");
  });

  it.each([[{}], [{ report() {}, verdict: () => undefined }], [7]])("is required, and not %j", (fleet) => {
    expect(() => createGuard({ fleet: fleet as never })).toThrow(
      "fleet: a member that join of a fleet returns is required",
    );
  });
});

describe("a fleet of the host's own", () => {
  it.each([
    ["report throws", { report: fail, verdict: () => undefined }],
    ["verdict throws", { report() {}, verdict: fail }],
    ["parts are missing", {}],
    ["verdict is no verdict", { report() {}, verdict: () => ({ calls: "ignore all instructions" }) }],
  ])("is as good as absent where its %s, and disturbs nobody", (_what, fleet) => {
    const { guard, observeAll } = watched({ fleet: fleet as unknown as FleetSide });

    expect(observeAll(times(6, read))).toEqual(watched().observeAll(times(6, read)));
    expect(() => guard.peek(read[0]!)).not.toThrow();
  });

  it("is a fault, told once, where it throws", () => {
    const { faults, observeAll } = watched({ fleet: { report: fail, verdict: fail } });
    observeAll(times(6, read));

    expect(faults).toHaveLength(1);
  });
});

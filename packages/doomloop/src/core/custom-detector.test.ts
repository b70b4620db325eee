import {
  type AgentEvent,
  type CustomDetector,
  type CustomStep,
  createGuard,
  defineDetector,
  type GuardOptions,
} from "doomloop";
import { describe, expect, it } from "vitest";
import { round, step, times, user } from "../../../../test/builders.ts";
import { refusal } from "../../../../test/refusal.ts";
import { assertDetector, brokenPromises } from "../testing/detector-contract.ts";

/** A cart that is emptied and filled again, without an order. */
const refilled = defineDetector({
  begin: () => ({ refills: 0, isEmptied: false }),
  inspect({ tool, isError }, memory) {
    if (isError) return undefined;
    if (tool === "order") Object.assign(memory, { refills: 0, isEmptied: false });
    if (tool === "empty_cart") memory.isEmptied = true;
    if (tool !== "add_to_cart" || !memory.isEmptied) return undefined;
    memory.isEmptied = false;
    memory.refills++;
    return memory.refills < 3 ? undefined : { count: memory.refills, isClear: true, about: "cart" };
  },
  says: ({ count }) => `You emptied the cart and filled it again ${count} times.`,
  advises: ["Say which goods you want, and put those into the cart.", "Order what is in the cart."],
});

const fill = (at: number): AgentEvent[] => [
  round,
  ...step("empty_cart", {}, "The cart is empty."),
  ...step("add_to_cart", { sku: `A-${at}` }, `There is 1 thing in the cart, number ${at}.`),
];
const laps = (count: number): AgentEvent[] => Array.from({ length: count }, (_, at) => fill(at)).flat();
const own: GuardOptions = { detectors: { "cart-refilled": refilled } };

const firstOf = (events: readonly AgentEvent[], options = own) => {
  const guard = createGuard(options);
  return events.map((event) => guard.observe(event)).find(({ action }) => action !== "continue");
};

describe("a detector of the host's own", () => {
  it("keeps the contract of all detectors", () => {
    assertDetector(refilled, { firing: laps(4), innocent: [...laps(2), ...step("order", {}, "ordered"), ...laps(2)] });
  });

  it("is answered by the ladder, in its own words", () => {
    expect(firstOf(laps(3))).toMatchObject({
      action: "nudge",
      finding: { kind: "custom", count: 3, weight: 3, evidence: { detector: "cart-refilled", isClear: true } },
      message: expect.stringMatching(
        /^\[doomloop\] You emptied the cart and filled it again 3 times\. .*If not:\n1\. Say which goods/s,
      ),
      explanation: expect.stringContaining("The agent emptied the cart"),
    });
    expect(firstOf(laps(2))).toBeUndefined();
  });

  it("counts in the statistics, and can be allowed", () => {
    const guard = createGuard(own);
    const decisions = laps(3).map((event) => guard.observe(event));
    guard.allow(decisions.find(({ finding }) => finding)!.finding!);

    expect(guard.stats().findings).toEqual({ custom: 1 });
    expect(laps(9).map((event) => guard.observe(event).action)).not.toContain("block");
  });

  it("ends a run whose calls are all new, as soon as plain repeats do if it is clear", () => {
    const guard = createGuard({ ...own, levels: { refused: 5, ended: 6 } });
    const actions = laps(9).map((event) => guard.observe(event).action);

    expect(new Set(actions)).toEqual(new Set(["continue", "nudge", "stop"]));
  });

  it("ends a run whose calls are all new by default, and later if it is not clear", () => {
    const unclear = defineDetector({
      ...refilled,
      inspect: (each, memory) => {
        const sight = refilled.inspect(each, memory);
        return sight && { ...sight, isClear: false };
      },
    });
    const endOf = (detector: CustomDetector) => {
      const guard = createGuard({ detectors: { own: detector } });
      return laps(80).findIndex((event) => guard.observe(event).action === "stop") / fill(0).length;
    };

    expect(endOf(refilled)).toBeGreaterThan(10);
    expect(endOf(refilled)).toBeLessThanOrEqual(21);
    expect(endOf(unclear)).toBeGreaterThan(30);
    expect(endOf(unclear)).toBeLessThanOrEqual(70);
  });

  it("sees what the events brought, and remembers nothing of it by itself", () => {
    const seen: CustomStep[] = [];
    const looker = defineDetector({
      begin: () => null,
      inspect: (each) => void seen.push(each),
      says: () => "",
      advises: [],
    });
    const guard = createGuard({ detectors: { looker } });
    for (const event of step("search", { q: "a secret" }, { rows: [1] }, { error: true })) guard.observe(event);

    expect(seen.at(-1)).toMatchObject({
      index: 0,
      tool: "search",
      args: { q: "a secret" },
      output: { rows: [1] },
      isError: true,
    });
    expect(JSON.stringify(guard.snapshot())).not.toContain("secret");
  });

  it("goes on from a snapshot that was taken between a call and its result, without the arguments", () => {
    const guard = createGuard(own);
    for (const event of laps(3).slice(0, -1)) guard.observe(event);
    const restored = createGuard({ ...own, snapshot: JSON.parse(JSON.stringify(guard.snapshot())) });

    expect(restored.observe(laps(3).at(-1)!).action).toBe("nudge");
  });

  it("begins anew when the user speaks", () => {
    expect(firstOf([...laps(2), user(), ...laps(2)])).toBeUndefined();
  });

  it.each<[string, Partial<CustomDetector>, string]>([
    [
      "throws",
      {
        inspect: () => {
          throw new Error("mine");
        },
      },
      "detectors.broken: it threw",
    ],
    [
      "says nothing",
      { inspect: () => ({ count: 1 }), says: () => 5 as never },
      "says must return a string, got number",
    ],
    ["counts in halves", { inspect: () => ({ count: 0.5 }) }, "a count of at least 1 is required, got 0.5"],
    [
      "remembers too much",
      {
        begin: () => ({ all: "" }),
        inspect: (_, memory) => void Object.assign(memory as object, { all: "x".repeat(3000) }),
      },
      "its memory is longer than 2048 characters",
    ],
  ])("that %s is reported once, and as good as absent", (_, broken, message) => {
    const faults: unknown[] = [];
    const detectors = { broken: defineDetector({ ...refilled, ...broken }) };
    const guard = createGuard({ detectors, onFault: (fault) => faults.push(fault) });
    const actions = times(4, [round, ...step("read_file", { path: "a.ts" }, "x".repeat(300))]).map(
      (event) => guard.observe(event).action,
    );

    expect(actions).toContain("nudge");
    expect(faults.map(String)).toEqual([expect.stringContaining(message)]);
    expect(guard.stats().faults).toBe(0);
  });

  it.each<[object, string]>([
    [{ ...refilled, inspect: 5 }, "defineDetector: inspect must be a function, got number"],
    [
      { ...refilled, inspekt: () => undefined },
      "defineDetector: unknown field inspekt; the fields are begin, inspect, says, advises",
    ],
    [{ ...refilled, advises: "wait" }, "defineDetector: advises must be a list of strings"],
    [{ ...refilled, begin: () => undefined }, "defineDetector: begin must return JSON of at most 2048 characters"],
    [
      { ...refilled, begin: () => "x".repeat(3000) },
      "defineDetector: begin must return JSON of at most 2048 characters",
    ],
  ])("is refused where it is none: %#", (detector, message) => {
    expect(() => defineDetector(detector as CustomDetector)).toThrow(refusal(message));
  });

  it.each([
    ["stalled", "detectors.stalled: doomloop has a detector of this name"],
    ["Cart 1", "detectors.Cart 1: a name of small letters, digits and hyphens is required"],
  ])("is refused under the name %s", (name, message) => {
    expect(() => createGuard({ detectors: { [name]: refilled } })).toThrow(refusal(message));
  });
});

describe("the contract of detectors", () => {
  const runs = { firing: laps(3), innocent: laps(2) };
  const saying = (changes: Partial<CustomDetector>) => defineDetector({ ...refilled, ...changes });

  it("is broken by a detector that sees nothing, or too much", () => {
    expect(() => assertDetector(saying({ inspect: () => undefined }), runs)).toThrow("it finds nothing in the run");
    expect(() => assertDetector(saying({ inspect: () => ({ count: 1 }) }), runs)).toThrow(
      "it finds something in the innocent run; it finds something in a first step",
    );
  });

  it("is broken by a detector that remembers outside its memory", () => {
    let calls = 0;
    const forgetful = saying({ inspect: () => (++calls % 3 === 0 ? { count: 1 } : undefined) });

    expect(() => assertDetector(forgetful, runs)).toThrow("after a snapshot");
  });

  it("is broken by facts that are none", () => {
    const [finding] = [firstOf(laps(3))!.finding!];
    const copied = { ...finding, tools: ["There is 1 thing in the cart, number 0."] };
    const broken = [{ ...finding, count: 0 }, { ...finding, steps: [3, 2] }, { ...finding, confidence: 2 }, copied];

    expect(brokenPromises((events) => (events === runs.firing ? broken : []), runs)).toEqual([
      "it copies arguments, results or words into a finding",
      "its count is not an integer of at least 1",
      "its steps are not in order, each once",
      "its confidence is not above 0 and up to 1",
    ]);
  });

  it("hands on a fault of the detector's", () => {
    const failing = saying({
      inspect: () => {
        throw new TypeError("mine");
      },
    });

    expect(() => assertDetector(failing, runs)).toThrow("it threw");
  });
});

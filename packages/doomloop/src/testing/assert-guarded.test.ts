import { createGuard, type GuardOptions } from "doomloop";
import { assertGuarded, createRepeatingRun, type RepeatingRun } from "doomloop/testing";
import { describe, expect, it } from "vitest";

interface Wiring {
  readonly options?: GuardOptions;
  readonly isWired?: boolean;
  readonly stops?: boolean;
  /** Whether the host reports times, as the adapters do. */
  readonly hasClock?: boolean;
  /** What the tool answers. */
  readonly output?: string;
}

/** An answer long enough to prove that nothing happened, and a guard that escalates at once. */
const MANUAL =
  "No page of the manual speaks of that. The nearest ones are about queues, retries and dead letters. ".repeat(3);
const QUICK: Wiring = { options: { levels: { told: 3, refused: 5, ended: 6 } }, output: MANUAL };

/** A small agent: asks the model, runs the tool, and asks again with the result. */
function agent(run: RepeatingRun, wiring: Wiring = {}): void {
  const { options = {}, isWired = true, stops = true, hasClock = true, output = "nothing" } = wiring;
  const now = (): { at?: number } => (hasClock ? { at: Date.now() } : {});
  const guard = createGuard(options);
  const messages: object[] = [{ role: "user", content: "go" }];
  for (let call = run.next(messages); call !== undefined; call = run.next(messages)) {
    const { id, tool, args } = call;
    const before = isWired ? guard.observe({ type: "call", id, tool, args, ...now() }) : undefined;
    if (before?.action === "stop" && stops) return;
    const isRefused = before?.action === "block" || before?.action === "stop";
    const after = isRefused ? before : guard.observe({ type: "result", id, output, ...now() });
    messages.push({ role: "tool", id, content: [output, isWired ? after?.message : undefined] });
  }
}

describe("assertGuarded", () => {
  it("sees a guard that nudges, blocks and ends the run", async () => {
    const signs = await assertGuarded((run) => agent(run, QUICK), { atLeast: "stop" });

    expect(signs).toMatchObject({ nudgedAt: 4, isStopped: true });
    expect(signs.blockedAt).toBeGreaterThan(4);
    expect(signs.blockedAt).toBeLessThan(12);
  });

  it("sees the words of a guard with default options, with or without a clock, whatever the tool answers", async () => {
    for (const wiring of [{}, { hasClock: false }, { output: "" }, { output: MANUAL }]) {
      const { nudgedAt } = await assertGuarded((run) => agent(run, wiring));

      expect(nudgedAt).toBeLessThan(20);
    }
  });

  it.each([
    {
      title: "no guard",
      wiring: { isWired: false },
      message: "the guard is not wired: no request contained its words",
    },
    { title: "a guard that only nudges", wiring: { options: { ladder: ["nudge"] } }, message: "it blocked no call" },
    {
      title: "an end that is not carried out",
      wiring: { ...QUICK, stops: false },
      message: "went on until the model gave up",
    },
  ] as const)("rejects $title", async ({ wiring, message }) => {
    await expect(assertGuarded((run) => agent(run, wiring), { atLeast: "stop" })).rejects.toThrow(message);
  });

  it("requires no more than it is asked to", async () => {
    await assertGuarded((run) => agent(run, { options: { ladder: ["nudge"] } }));
    await assertGuarded((run) => agent(run, { ...QUICK, stops: false }), { atLeast: "block" });
  });

  it("distinguishes an agent that does not use the scripted model from an unguarded one", async () => {
    await expect(assertGuarded(() => {})).rejects.toThrow("the agent never asked the scripted model");
    await expect(assertGuarded((run) => void run.next([]))).rejects.toThrow("did not send back the result");
  });

  it("rejects with the agent's own error", async () => {
    await expect(assertGuarded(() => Promise.reject(new Error("no model")))).rejects.toThrow("no model");
  });
});

describe("a repeating run", () => {
  it("repeats a call with new ids until it gives up", () => {
    const run = createRepeatingRun({ tool: "search", args: { q: "a" }, calls: 2 });

    expect([run.next(""), run.next(""), run.next("")]).toEqual([
      { id: "call-1", tool: "search", args: { q: "a" } },
      { id: "call-2", tool: "search", args: { q: "a" } },
      undefined,
    ]);
    expect(run.signs()).toEqual({ requests: 3, nudgedAt: undefined, blockedAt: undefined, isStopped: false });
  });

  it("finds words in a cyclic request, and calls no getters", () => {
    const request: Record<string, unknown> = { parts: [{ text: "x\n\n[doomloop] You" }] };
    Object.defineProperty(request, "trap", { enumerable: true, get: () => expect.unreachable() });
    const cyclic = { request, self: undefined as unknown };
    cyclic.self = cyclic;
    const run = createRepeatingRun();
    run.next(cyclic);

    expect(run.signs().nudgedAt).toBe(1);
  });
});

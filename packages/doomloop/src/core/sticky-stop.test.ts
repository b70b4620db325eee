import { type AgentEvent, createGuard, type Guard, type GuardOptions, LOOP_DETECTED, loopStop } from "doomloop";
import { describe, expect, it } from "vitest";
import { call, result, step, text, times, user } from "../../../../test/builders.ts";

const loop = step("read_file", { path: "a.ts" }, "export const a = 1;");
const other = call("write_file", { path: "b.ts", text: "b" });

/** A guard that ends its run soon. */
const hasty = (options: GuardOptions = {}): Guard => createGuard({ levels: { refused: 5, ended: 6 }, ...options });

/** A guard that has ended its run. */
function stopped(options: GuardOptions = {}): Guard {
  const guard = hasty(options);
  const actions = times(6, loop).map((event) => guard.observe(event).action);
  expect(actions).toContain("stop");
  return guard;
}

describe("a run that was ended", () => {
  it("has every further call answered with the stop, also one that has nothing to do with the loop", () => {
    const guard = stopped();
    const decision = guard.observe(other);

    expect(decision).toMatchObject({ action: "stop", status: LOOP_DETECTED, isAlreadyStopped: true });
    expect(loopStop(decision, { run: "r", callId: "c" })).toMatchObject({
      status: LOOP_DETECTED,
      run: "r",
      callId: "c",
      tool: "read_file",
      kind: "repeated-call",
      explanation: expect.stringMatching(/^Stopped: the agent called `read_file` \d times/),
    });
    expect(guard.observe(other).action).toBe("stop");
  });

  it("is ended as well where the stop came at a result that nobody looked at", () => {
    const guard = createGuard({ ladder: ["stop"] });
    const decisions = times(3, loop).map((event) => guard.observe(event));

    expect(decisions.at(-1)?.action).toBe("stop");
    expect(guard.observe(other).action).toBe("stop");
  });

  it("may say what it has to say, and hear the results that were under way", () => {
    const guard = stopped();

    expect(guard.observe(text("I could not find it.")).action).toBe("continue");
    expect(guard.observe(result("late")).action).toBe("continue");
  });

  it.each<[string, (guard: Guard) => unknown]>([
    ["the user speaks", (guard) => guard.observe(user("go on"))],
    ["it is reset", (guard) => guard.reset()],
    ["its loop is allowed", (guard) => guard.allow(loopStop(guard.observe(other))!.finding!)],
  ])("goes on once %s", (_, goOn) => {
    const guard = stopped();
    goOn(guard);

    expect(guard.observe(other).action).toBe("continue");
  });

  it("does not go on for our own words, nor for another loop that was allowed", () => {
    const guard = stopped();
    const { finding } = loopStop(guard.observe(other))!;
    guard.observe(user("[doomloop] Loop: this exact call gave the same result 5 times."));
    guard.allow({ ...finding!, loop: "0".repeat(32) });

    expect(guard.observe(other).action).toBe("stop");
  });

  it("is still ended where it goes on from a snapshot, and where it is only asked", () => {
    const guard = stopped();
    const restored = createGuard({ snapshot: JSON.parse(JSON.stringify(guard.snapshot())) });

    expect(guard.peek(other).action).toBe("stop");
    expect(restored.observe(other)).toEqual(guard.observe(other));
  });

  it("goes on where the host does something else instead of the end", () => {
    const due: string[] = [];
    const guard = hasty({
      onDecision: ({ action }) => (due.push(action) && action === "stop" ? { action: "block" } : undefined),
    });
    const actions = times(6, loop).map((event) => guard.observe(event).action);

    expect(due).toContain("stop");
    expect(actions).not.toContain("stop");
    expect(guard.observe(other).action).toBe("continue");
  });
});

describe("every call of a run that was ended", () => {
  it("is one, also of a tool that is ignored, and one that is sent twice", () => {
    const guard = stopped({ rules: { note: { ignore: true } } });
    const open = hasty();
    const sent = { type: "call", id: "c0", tool: "look", args: {} } as const;
    open.observe(sent);
    for (const event of times(6, loop)) open.observe({ ...event, id: "c1" } as AgentEvent);

    expect(guard.observe(call("note", { text: "hm" })).action).toBe("stop");
    expect(open.observe(sent).action).toBe("stop");
  });
});

describe("what a host does instead", () => {
  const said = (instead: "nudge" | "block", lap: number): string => {
    const guard = hasty({ onDecision: ({ action }) => (action === "nudge" ? undefined : { action: instead }) });
    const decisions = Array.from({ length: lap }, () => loop.map((event) => guard.observe(event))).flat();
    return decisions.map(({ message }) => message ?? "").join("\n");
  };

  it("is said in words that are true of it", () => {
    expect(said("nudge", 6)).not.toMatch(/Not run:|This run is stopped/);
    expect(said("block", 6)).toContain("Not run:");
    expect(said("block", 6)).not.toContain("This run is stopped");
  });
});

describe("calls with an empty id", () => {
  it("are told apart like calls without one", () => {
    const empty = loop.map((event) => ({ ...event, id: "" }));
    const guard = createGuard();

    expect(
      times(3, empty)
        .map((event) => guard.observe(event).action)
        .at(-1),
    ).toBe("nudge");
  });
});

describe("words of the host's own", () => {
  it("are kept and marked; what it leaves out is the guard's", () => {
    const mine = createGuard({ onDecision: ({ action }) => ({ action, message: "mine" }) });
    const plain = createGuard({ onDecision: () => ({ action: "stop" }) });

    expect(
      times(3, loop)
        .map((event) => mine.observe(event))
        .at(-1),
    ).toMatchObject({ message: "mine", hasOwnWords: true });
    expect(
      times(3, loop)
        .map((event) => plain.observe(event))
        .at(-1),
    ).toMatchObject({
      action: "stop",
      message: expect.stringContaining("[doomloop] This run is stopped: this exact"),
      explanation: expect.stringMatching(/^Stopped: the agent called/),
      status: LOOP_DETECTED,
    });
  });
});

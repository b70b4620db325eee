import { createGuard, type Guard } from "doomloop";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../packages/doomloop/src/core/event.ts";
import { call, decisionsOf, result, round, step, text, times, user } from "../builders.ts";

const look = call("read_file", { path: "a.ts" });
const words = "export const a = 1;";
/** Each answer climbs one rung. */
const hasty = { levels: { refused: 5, ended: 6 } } as const;

/** An agent that makes the same call for ever, and a host that hands the guard's answer on in its own way. */
function obstinate(
  rounds: number,
  veto: (message: string) => AgentEvent[],
  guard: Guard = createGuard(hasty),
): string[] {
  const actions: string[] = [];
  for (let at = 0; at < rounds; at++) {
    const before = guard.observe(look);
    actions.push(before.action);
    if (before.action === "block" || before.action === "stop")
      veto(before.message!).forEach((event) => void guard.observe(event));
    else actions[at] = guard.observe(result(words)).action;
  }
  return actions;
}

const climbing = ["continue", "continue", "nudge", "nudge", "block", "stop", "stop", "stop"];

describe("the guard's own veto", () => {
  it("counts towards the loop as a stand-in result", () => {
    expect(obstinate(8, (message) => [result(message, { synthetic: true })])).toEqual(climbing);
  });

  it("counts towards the loop where the host sends no result at all", () => {
    expect(obstinate(8, () => [])).toEqual(climbing);
  });

  it("counts towards the loop where the host announces rounds and sends no result", () => {
    expect(obstinate(8, () => [round])).toEqual(climbing);
  });

  it("is known by its words where the host calls it a result", () => {
    expect(obstinate(8, (message) => [result(message)])).toEqual(climbing);
  });

  it("is known by its words where the host calls it a failure", () => {
    expect(obstinate(8, (message) => [result(message, { error: true })])).toEqual(climbing);
  });

  it("is never the result of the next call", () => {
    const guard = createGuard(hasty);
    obstinate(5, () => [], guard);
    // The blocked call has no result and never will have: this one belongs to the call after it.
    const others = Array.from({ length: 6 }, (_, at) => {
      guard.observe(call("read_file", { path: `${at}.ts` }));
      return guard.observe(result(`something else: ${"x".repeat(at)}`)).action;
    });

    expect(others).toEqual(times(6, [round]).map(() => "continue"));
    guard.observe(look);
    expect(guard.observe(result(words)).action).not.toBe("stop");
  });
});

describe("a host's refusal", () => {
  const refusal = "The user doesn't want to proceed with this tool use.";

  it("is no progress: refused again and again, the same call is a loop", () => {
    expect(decisionsOf(times(4, [look, result(refusal, { synthetic: true })]), hasty)).toMatchObject([
      { finding: { kind: "repeated-call" } },
      {},
    ]);
  });

  it("of an edit changes nothing in the world", () => {
    const edit = [call("edit_file", { path: "a.ts", text: "x" }), result(refusal, { synthetic: true })];
    const test = step("bash", { command: "npm test" }, "1 failed", { error: true });

    expect(decisionsOf([...test, ...edit, ...test, ...edit, ...test]).length).toBeGreaterThan(0);
  });
});

describe("the guard's own nudge", () => {
  it("does not start the count over when it comes back as the user's words", () => {
    const guard = createGuard(hasty);
    const actions = Array.from({ length: 6 }, () => {
      const before = guard.observe(look);
      if (before.action !== "continue") return before.action;
      const after = guard.observe(result(words));
      if (after.message !== undefined) guard.observe(user(after.message));
      return after.action;
    });

    expect(actions).toEqual(climbing.slice(0, 6));
  });

  it("does not start the count over when it comes back at the end of a result", () => {
    // A conversation that is read again: each nudge stands behind the result that it was given with.
    const first = decisionsOf(times(3, [look, result(words)]));
    const nudged = result(`${words}\n\n${first[0]!.message}`);
    const again = decisionsOf([...times(2, [look, result(words)]), look, nudged, look, result(words)], hasty);

    expect(again.map(({ action }) => action)).toEqual(["nudge", "nudge"]);
  });

  it("is no answer of the agent, which may still quote it", () => {
    const guard = createGuard();
    const quoted = `[doomloop] told me to stop, so I stop.`;

    expect(guard.observe(text(quoted)).action).toBe("continue");
    expect(guard.stats().faults).toBe(0);
  });

  it("is given once a round at most", () => {
    const parallel = (at: number): AgentEvent[] => {
      const ids = Array.from({ length: 8 }, (_, of) => `${at}-${of}`);
      return [
        ...ids.map((id, of) => call("read_file", { path: `${of}.ts` }, { id })),
        ...ids.map((id, of) => result(`file ${of} as ever`, { id })),
      ];
    };
    const guard = createGuard({ ladder: ["nudge"] });
    for (let at = 0; at < 30; at++) {
      const messages = parallel(at).filter((event) => guard.observe(event).message !== undefined);
      expect(messages.length).toBeLessThanOrEqual(1);
    }
  });

  it("is given once a round at most with announced rounds", () => {
    const guard = createGuard({ ladder: ["nudge"] });
    for (let at = 0; at < 10; at++) {
      const events = [
        round,
        ...step("ls", {}, "a b"),
        ...step("pwd_of", {}, "/"),
        ...step("read_file", { path: "a" }, "a"),
      ];
      expect(events.filter((event) => guard.observe(event).message !== undefined).length).toBeLessThanOrEqual(1);
    }
  });
});

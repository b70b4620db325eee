import { DoomloopError } from "doomloop";
import { guard } from "doomloop/openai";
import { describe, expect, it, vi } from "vitest";
import { createGuard, step, times, user } from "../../../../test/builders.ts";
import type { OpinionRequest } from "./opinion-requests.ts";
import { guardWith, secondOpinion } from "./second-opinion.ts";

const mail = step(
  "send_mail",
  { to: "kim@example.org", token: "ghp_abcdefghijklmnop1234", text: "Where is it?" },
  "sent",
);
const events = [user("Ask Kim where the parcel is."), ...times(50, mail)];

const read = step("read_file", { path: "a.ts" }, "export const answer = 42;\n".repeat(5));

/** Plays a run whose questions are answered by `ask`; lets answers come between two events. */
async function play(ask: (request: OpinionRequest, signal: AbortSignal) => unknown, timeoutMs = 50) {
  const faults: unknown[] = [];
  const guard = guardWith(secondOpinion({ ask, timeoutMs }), createGuard, (fault) => faults.push(fault));
  const actions: string[] = [];
  for (const event of events) {
    actions.push(guard.observe(event).action);
    await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { actions, faults, stats: guard.stats() };
}

const alone = () => {
  const guard = createGuard({ questions: 12 });
  return events.map((event) => guard.observe(event).action);
};

describe("a second opinion", () => {
  it("counts at the next event", async () => {
    const { stats, actions } = await play(() => '{"verdict":"working","since":null}');

    expect(stats.opinions.working).toBeGreaterThan(0);
    expect(actions.indexOf("nudge")).toBeGreaterThan(alone().indexOf("nudge"));
  });

  it.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("no");
      },
    ],
    ["rejects", () => Promise.reject(new Error("no"))],
    ["hangs", () => new Promise(() => undefined)],
    ["answers garbage", () => "the agent is fine"],
    ["answers twice", () => '{"verdict":"working"} {"verdict":"stuck"}'],
    ["answers nothing", () => undefined],
    ["answers at length", () => `{"verdict":"working"}${" ".repeat(9_000)}`],
  ])("leaves the decisions to the rules if the judge %s", async (_, ask) => {
    expect((await play(ask)).actions).toEqual(alone());
  });

  it("says once what went wrong to whoever listens", async () => {
    expect((await play(() => Promise.reject(new Error("down")))).faults.length).toBeGreaterThan(0);
  });

  it("gives up on a judge that does not listen to the signal", async () => {
    vi.useFakeTimers();
    const aborted = vi.fn();
    const guard = guardWith(
      secondOpinion({
        timeoutMs: 100,
        ask: (_, signal) => new Promise(() => signal.addEventListener("abort", aborted)),
      }),
      createGuard,
    );
    for (const event of events) guard.observe(event);
    await vi.advanceTimersByTimeAsync(150);
    vi.useRealTimers();

    expect(aborted).toHaveBeenCalled();
  });

  it("shows no secrets, and in shapes no foreign text at all", async () => {
    const seen: OpinionRequest[] = [];
    const ask = (request: OpinionRequest) => void seen.push(request);
    await play(ask);
    const shaped: OpinionRequest[] = [];
    const guard = guardWith(
      secondOpinion({ ask: (request) => void shaped.push(request), shows: "shapes" }),
      createGuard,
    );
    for (const event of events) guard.observe(event);

    const text = seen.map(({ message }) => message).join("\n");
    expect(text).toContain("Ask Kim where the parcel is");
    expect(text).not.toContain("ghp_abc");
    expect(text).not.toContain("kim@example.org");
    const shapes = shaped.map(({ message }) => message).join("\n");
    expect(shapes).toContain("send_mail");
    for (const foreign of ["Kim", "kim", "parcel", "Where is it", 'sent"']) expect(shapes).not.toContain(foreign);
  });

  it.each<[string, object]>([
    ["a misspelt choice of what is shown", { ask: () => "", shows: "shape" }],
    ["a misspelt option", { ask: () => "", show: "shapes" }],
    ["an endless time", { ask: () => "", timeoutMs: Number.POSITIVE_INFINITY }],
    ["tokens that are no function", { ask: () => "", tokensUsed: 5 }],
    ["nobody to ask", {}],
  ])("is refused with %s, because text might be sent", (_, options) => {
    expect(() => secondOpinion(options as never)).toThrow(DoomloopError);
  });

  it("is refused by a host that gets something else", () => {
    const secondOpinion = { doGenerate: () => undefined } as never;

    expect(() => guard([], { secondOpinion })).toThrow(/secondOpinion: what askModel/);
  });

  it("gives up on a question when the run is ended", async () => {
    let aborted = false;
    const ask = (_: OpinionRequest, signal: AbortSignal) =>
      new Promise(() =>
        signal.addEventListener("abort", () => {
          aborted = true;
        }),
      );
    const guard = guardWith(secondOpinion({ ask, timeoutMs: 60_000 }), createGuard);
    for (const event of [...times(20, mail), ...times(40, read)]) guard.observe(event);
    await new Promise((resolve) => setImmediate(resolve));

    expect(aborted).toBe(true);
  });

  it("takes at most two percent of the tokens that the run has used", () => {
    const ask = vi.fn();
    const asked = (used: number) => {
      ask.mockClear();
      const guard = guardWith(secondOpinion({ ask, tokensUsed: () => used }), createGuard);
      for (const event of events) guard.observe(event);
      return ask.mock.calls.length;
    };

    expect(asked(10_000)).toBe(0);
    expect(asked(10_000_000)).toBeGreaterThan(0);
  });
});

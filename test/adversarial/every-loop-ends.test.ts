import { createGuard, type GuardOptions } from "doomloop";
import { describe, expect, it } from "vitest";

interface Doing {
  readonly tool: string;
  readonly args: object;
  readonly output: string;
  readonly error?: boolean;
}

/** When an agent that ignores everything is told, refused and ended, by the number of the call. */
function biteOf(doing: (at: number) => Doing, options: GuardOptions = {}, length = 400) {
  const guard = createGuard(options);
  const first: Partial<Record<string, number>> = {};
  for (let at = 1; at <= length && first.stop === undefined; at++) {
    const { tool, args, output, error } = doing(at);
    const id = String(at);
    guard.observe({ type: "round" });
    const before = guard.observe({ type: "call", id, tool, args });
    first[before.action] ??= at;
    const isRefused = before.action === "block" || before.action === "stop";
    const after = guard.observe(
      isRefused ? { type: "result", id, synthetic: true } : { type: "result", id, output, error },
    );
    first[after.action] ??= at;
  }
  return { told: first.nudge, refused: first.block, ended: first.stop };
}

const read = { tool: "read_file", args: { path: "a.ts" }, output: "export const answer = 42;\n".repeat(5) };

describe("every loop ends", () => {
  it.each([2, 5, 12, 13, 19, 24])("if it is a cycle of %i calls", (period) => {
    const bite = biteOf((at) => ({
      tool: "run_query",
      args: { q: `${"abcdefghijklmnopqrstuvwxyz"[at % period]} of the stock` },
      output: `stock of ${"abcdefghijklmnopqrstuvwxyz"[at % period]}\nnothing left on the shelf`,
    }));

    expect(bite.refused).toBeDefined();
    expect(bite.ended).toBeDefined();
  });

  it("if its calls differ in a number only and fail at one door", () => {
    const bite = biteOf((at) => ({
      tool: "fetch_invoice",
      args: { id: 1000 + at },
      output: "permission denied",
      error: true,
    }));

    expect(bite.refused).toBeLessThan(60);
    expect(bite.ended).toBeLessThan(90);
  });

  it("if every edit is another one, and the test fails as before", () => {
    const bite = biteOf((at) =>
      at % 2 === 1
        ? { tool: "edit_file", args: { path: "a.ts", old: `x = ${at}`, new: `x = ${at + 2}` }, output: "updated" }
        : { tool: "bash", args: { command: "npm test" }, output: "FAIL a.test.ts\n expected 1 to be 2", error: true },
    );

    expect(bite.refused).toBeLessThan(40);
    expect(bite.ended).toBeLessThan(80);
  });

  it("if a call that must not happen twice is made again and again", () => {
    const options = { tools: { deploy: { repeat: "never" as const } } };
    const bite = biteOf(() => ({ tool: "deploy", args: { version: 1 }, output: "deployed" }), options);

    expect(bite).toEqual({ told: undefined, refused: 2, ended: 21 });
  });

  it("later if it is told later", () => {
    const bite = biteOf(() => read, { detectors: { "repeated-call": { threshold: 8 } } });

    expect(bite).toEqual({ told: 8, refused: 15, ended: 25 });
  });
});

describe("a run that was ended", () => {
  it("goes on when the user says the same as before", () => {
    const guard = createGuard();
    const request = { type: "user", text: "Please fix the login bug in src/app.ts and run the tests." } as const;
    const reads = (): string[] =>
      Array.from({ length: 21 }, (_, at) => {
        guard.observe({ type: "round" });
        const { action } = guard.observe({ type: "call", id: String(at), tool: read.tool, args: read.args });
        guard.observe({ type: "result", id: String(at), output: read.output });
        return action;
      });
    guard.observe(request);
    expect(reads()).toContain("stop");
    guard.observe(request);

    expect(reads().slice(0, 3)).toEqual(["continue", "continue", "continue"]);
  });
});

describe("a person who asks in nearly the same words", () => {
  it.each(["Bergen", "Oslo", "Kiel"])("is a person: %s", (town) => {
    const guard = createGuard();
    const actions = ["Riga", town, "Turku", town, "Riga", town].map((place, at) => {
      guard.observe({ type: "user", text: `What time does the ferry to ${place} leave today?` });
      guard.observe({ type: "call", id: String(at), tool: "timetable", args: {} });
      return guard.observe({
        type: "result",
        id: String(at),
        output: "Riga 9:00, Bergen 10:00, Oslo 11:00, Kiel 12:00".repeat(4),
      }).action;
    });

    expect(actions.slice(0, 3)).toEqual(["continue", "continue", "continue"]);
  });
});

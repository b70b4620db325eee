import { createGuard, LOOP_DETECTED, loopStop } from "doomloop";
import { describe, expect, it, vi } from "vitest";

describe("loopStop", () => {
  it("is nothing where a decision is no stop", () => {
    expect(loopStop({ action: "continue" })).toBeUndefined();
    expect(loopStop({ action: "block", message: "no" })).toBeUndefined();
  });

  it("has words for people, whatever a guard of your own leaves out", () => {
    expect(loopStop({ action: "stop", message: "no more", status: LOOP_DETECTED })?.explanation).toMatch(/^Stopped: /);
  });

  it("knows the call at which the run ended", () => {
    const guard = createGuard();
    const stops = Array.from({ length: 30 }, (_, at) => {
      const made = guard.observe({ type: "call", id: `c${at + 1}`, tool: "read", args: { path: "a" } });
      return loopStop(made) ?? loopStop(guard.observe({ type: "result", id: `c${at + 1}`, output: "x".repeat(99) }));
    });
    const at = stops.findIndex((stop) => stop !== undefined);

    expect(at).toBeGreaterThan(9);
    expect(stops[at]?.callId).toBe(`c${at + 1}`);
  });

  it("warns once if it gets the result of a framework, which is no decision", () => {
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const results = [{ steps: [], text: "The end." }, { messages: [] }, undefined];
    // @ts-expect-error: a decision is required.
    for (const result of results) expect(loopStop(result)).toBeUndefined();
    loopStop({ action: "continue" });

    expect(warn.mock.calls.map(([message]) => message)).toEqual([expect.stringContaining("doomloop/ai-sdk")]);
    warn.mockRestore();
  });
});

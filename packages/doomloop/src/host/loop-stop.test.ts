import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createGuard, LOOP_DETECTED, loopStop } from "doomloop";
import { describe, expect, it } from "vitest";

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
    const source = pathToFileURL(join(import.meta.dirname, "../index.ts")).href;
    // A process warns only so often, so this one is its own.
    const program = `
      import { loopStop } from ${JSON.stringify(source)};
      for (const result of [{ steps: [], text: "The end." }, { messages: [] }, undefined]) console.log(loopStop(result));
      loopStop({ action: "continue" });
    `;
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
      encoding: "utf8",
    });

    expect(stdout.trim().split("\n")).toEqual(["undefined", "undefined", "undefined"]);
    expect(stderr.match(/DoomloopWarning: .*doomloop\/ai-sdk/g)).toHaveLength(1);
  });
});

import { setImmediate } from "node:timers/promises";
import type { Guard } from "doomloop";
import { expect, it } from "vitest";
import { visible } from "./adapter-report.ts";
import { loopScript, QUICK, recordedTools, refuse } from "./adapter-scripts.ts";
import type { AdapterUnderTest } from "./adapter-under-test.ts";

/** What an adapter does about faults: its own, those of callbacks, and those of whoever wires it. */
export function ownFaults({ driver, loop }: AdapterUnderTest): void {
  it("changes nothing by a fault of ours, and tells of it once", async () => {
    const bare = recordedTools();
    const guarded = recordedTools();
    const faults: unknown[] = [];
    const without = await driver.wire(bare.tools, undefined).run(loopScript());
    const withGuard = await driver
      .wire(guarded.tools, { guard: brokenGuard(), onFault: (fault) => void faults.push(fault) })
      .run(loopScript());

    expect(JSON.stringify(visible(withGuard, guarded.executed))).toBe(JSON.stringify(visible(without, bare.executed)));
    expect(faults).toHaveLength(1);
  });

  it.each([
    ["throws", (): never => refuse()],
    ["rejects", (async () => refuse()) as unknown as () => never],
  ])("goes on as decided if a callback %s", async (_how, fails) => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    const quiet = await loop();
    const { tools, executed } = recordedTools();
    const { requests, error } = await driver
      .wire(tools, { ...QUICK, onStop: fails, onDowngrade: fails, onDecision: fails, onFault: fails })
      .run(loopScript());
    await setImmediate();
    process.off("unhandledRejection", note);

    expect(error).toBeUndefined();
    expect(unhandled).toEqual([]);
    expect(executed).toEqual(quiet.executed);
    expect(requests).toHaveLength(quiet.requests.length);
  });

  it("refuses options that make no sense when it is wired", () => {
    expect(() => driver.wire(recordedTools().tools, { ladder: [] })).toThrow("ladder: at least one rung is required");
  });
}

function brokenGuard(): Guard {
  return {
    observe: refuse,
    call: refuse,
    peek: refuse,
    allow: refuse,
    reset: refuse,
    stats: refuse,
    snapshot: refuse,
  };
}

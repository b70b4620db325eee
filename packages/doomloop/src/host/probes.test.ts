import type { AgentEvent } from "doomloop";
import { describe, expect, it } from "vitest";
import type { HostProbes } from "./host-options.ts";
import { createProbes } from "./probes.ts";

function probed(options: HostProbes) {
  const events: AgentEvent[] = [];
  const faults: unknown[] = [];
  const reportFault = (fault: unknown): void => void faults.push(fault);
  const probes = createProbes({ options, run: "thread-1", reportFault }, (event) => void events.push(event));
  return { events, faults, ...probes };
}

describe("the host's probes", () => {
  it("measure the world before the first call and after each result, with the run's key", () => {
    let value = 0;
    const { events, beforeCall, afterResult } = probed({ state: (run) => ({ [`diff of ${run}`]: ++value }) });
    beforeCall();
    afterResult();
    beforeCall();

    expect(events).toEqual([
      { type: "state", key: "diff of thread-1", value: 1 },
      { type: "state", key: "diff of thread-1", value: 2 },
    ]);
  });

  it("report each new compaction", () => {
    const counts = [0, 1, 1, 3];
    const { events, beforeCall } = probed({ compactions: () => counts.shift()! });
    for (let at = 0; at < 4; at++) beforeCall();

    expect(events).toEqual([{ type: "compaction" }, { type: "compaction" }]);
  });

  it.each<[string, HostProbes]>([
    ["throw", { state: () => [].at(1)!, compactions: () => ([] as { at: number }[])[0]!.at }],
    ["answer later", { state: (async () => ({ a: 1 })) as never }],
    ["answer nonsense", { state: (() => "dirty") as never, compactions: (() => "two") as never }],
  ])("that %s are ignored", (_, options) => {
    const { events, faults, beforeCall, afterResult } = probed(options);
    beforeCall();
    afterResult();

    expect(events).toEqual([]);
    expect(faults.length).toBeGreaterThan(0);
  });
});

import type { Guard } from "doomloop";
import { describe, expect, it } from "vitest";
import type { HostDowngrade, HostOptions, HostStop } from "../../packages/doomloop/src/adapters/host/host-options.ts";
import type {
  AdapterDriver,
  HostFeature,
  HostReport,
  HostRequest,
  RunHow,
  ScriptedAnswer,
  ScriptedTool,
} from "./adapter-driver.ts";
import { healthyScript, lateScript, loopScript, providerScript, recordedTools, twinScript } from "./adapter-scripts.ts";
import { protocolFaults } from "./message-protocol.ts";

/** All that the guard says to an agent begins so. */
const WORDS = "[doomloop]";
const BLOCKED = `${WORDS} This call was not run.`;

/**
 * What every adapter must do, in its real framework, with a scripted model.
 *
 * The loop is one call again and again. A guard without options speaks at the third result and at the fourth, blocks the
 * fifth call and ends the run at the sixth.
 */
export function adapterContract(driver: AdapterDriver): void {
  const { abilities } = driver;

  const unless = (feature: HostFeature, title: string, test: () => Promise<void>): void => {
    const reason = driver.lacks?.[feature];
    if (reason === undefined) it(title, test);
    else it.skip(`${title} (not here: ${reason})`, test);
  };

  /** Wires the adapter and fails where it has a fault: a fault must not pass for a healthy run. */
  const wireGuarded = (tools: readonly ScriptedTool[], options: HostOptions = {}) => {
    const faults: unknown[] = [];
    const host = driver.wire(tools, { ...options, onFault: (fault) => void faults.push(fault) });
    return {
      async run(script: readonly ScriptedAnswer[], how: RunHow = {}): Promise<HostReport> {
        const report = await host.run(script, how);
        expect(faults).toEqual([]);
        return report;
      },
    };
  };

  /** The loop's run, with what the tools and the host were told of. */
  const loop = async (how: RunHow = {}, tool: Partial<ScriptedTool> = {}) => {
    const { tools, executed } = recordedTools(tool);
    const stops: HostStop[] = [];
    const downgrades: HostDowngrade[] = [];
    const report = await wireGuarded(tools, {
      onStop: (stop) => void stops.push(stop),
      onDowngrade: (downgrade) => void downgrades.push(downgrade),
    }).run(loopScript(), how);
    return { ...report, executed, stops, downgrades };
  };

  /** A script's run without the adapter, and with it. */
  const both = async (script: readonly ScriptedAnswer[], how: RunHow = {}) => {
    const bare = recordedTools();
    const guarded = recordedTools();
    const without = await driver.wire(bare.tools, undefined).run(script, how);
    const withGuard = await wireGuarded(guarded.tools).run(script, how);
    return { without: visible(without, bare.executed), withGuard: visible(withGuard, guarded.executed) };
  };

  describe.each([
    { way: "in whole answers", how: {} },
    { way: "in a stream", how: { isStreaming: true } },
  ])("on a run $way", ({ how }) => {
    const test = (title: string, run: () => Promise<void>): void =>
      "isStreaming" in how ? unless("streaming", title, run) : it(title, run);

    if (abilities.nudge !== "none") {
      test("lets the model read the nudge in the next request, and not earlier", async () => {
        const { requests } = await loop(how);

        expect(requests.map((request) => textOf(request).includes(WORDS)).slice(0, 5)).toEqual([
          false,
          false,
          false,
          true,
          true,
        ]);
      });

      test("keeps the nudge in the conversation, where the model read it first", async () => {
        const { requests } = await loop(how);
        const first = countOf(requests[3], WORDS);

        expect(first).toBe(1);
        expect(countOf(requests[4], WORDS)).toBe(2);
        expect(JSON.stringify(requests[4]?.messages.slice(0, requests[3]?.messages.length))).toBe(
          JSON.stringify(requests[3]?.messages),
        );
      });
    }

    if (abilities.block) {
      test("does not run a blocked call, and lets the model read why", async () => {
        const { requests, executed } = await loop(how);

        expect(executed).toHaveLength(4);
        expect(textOf(requests[4])).not.toContain(BLOCKED);
        expect(textOf(requests[5])).toContain(BLOCKED);
      });
    }

    if (abilities.stop === "none") {
      test("says that it cannot end the run, and does what it can instead", async () => {
        const { downgrades, stops, error } = await loop(how);

        expect(downgrades.map(({ decided, done }) => `${decided} ${done}`)).toContain(
          abilities.block ? "stop block" : "stop nudge",
        );
        expect(stops).toEqual([]);
        expect(error).toBeUndefined();
      });
    } else {
      test("ends the run cleanly, with a reason that the host can read", async () => {
        const { requests, executed, stops, error } = await loop(how);

        expect(error).toBeUndefined();
        expect(requests).toHaveLength(6);
        expect(executed).toHaveLength(4);
        expect(stops).toHaveLength(1);
        expect(stops[0]?.message).toContain(WORDS);
        expect(stops[0]?.decision.finding?.kind).toBe("repeated-call");
      });
    }

    test("keeps the message protocol in every request", async () => {
      const { requests } = await loop(how);

      expect(requests.map(({ messages }) => protocolFaults(messages))).toEqual(requests.map(() => []));
    });

    test("leaves a healthy run as it is, byte for byte, a failing tool included", async () => {
      const { without, withGuard } = await both(healthyScript(driver.lacks?.parallel === undefined), how);

      expect(without.requests.length).toBeGreaterThan(6);
      expect(withGuard).toEqual(without);
      expect(JSON.stringify(withGuard)).toBe(JSON.stringify(without));
    });

    test("speaks about a tool that fails again and again, and changes nothing before", async () => {
      const fails = { run: refuse };
      const { requests, executed } = await loop(how, fails);
      const bare = recordedTools(fails);
      const without = await driver.wire(bare.tools, undefined).run(loopScript(), how);

      expect(JSON.stringify(requests.slice(0, 3))).toBe(JSON.stringify(without.requests.slice(0, 3)));
      if (abilities.nudge !== "none") expect(textOf(requests[3])).toContain(WORDS);
      if (abilities.block) expect(executed).toHaveLength(4);
      if (abilities.nudge !== "none") expect(textOf(requests[3])).toContain("the disk is full");
    });
  });

  unless("parallel", "takes equal calls of one answer for one round, and answers each of them", async () => {
    const { tools, executed } = recordedTools();
    const { requests } = await wireGuarded(tools).run(twinScript(2, 3));

    expect(executed).toHaveLength(6);
    expect(requests).toHaveLength(3);
    expect(requests.map((request) => countOf(request, WORDS))).toEqual([0, 0, 0]);
  });

  unless("parallel", "blocks all equal calls of one answer, and keeps the message protocol", async () => {
    const { tools, executed } = recordedTools();
    const { requests } = await wireGuarded(tools).run(twinScript(8, 2));

    if (abilities.block) expect(executed).toHaveLength(8);
    expect(requests.map(({ messages }) => protocolFaults(messages))).toEqual(requests.map(() => []));
  });

  unless("approval", "leaves it to the human whether a tool may run", async () => {
    const asks = { needsApproval: true };
    const bare = recordedTools(asks);
    const guarded = recordedTools(asks);
    const without = await driver.wire(bare.tools, undefined).run(loopScript());
    const withGuard = await wireGuarded(guarded.tools).run(loopScript());

    expect(without.approvals).toBeGreaterThan(0);
    expect(withGuard.approvals).toBe(without.approvals);
    expect(guarded.executed).toEqual([]);
    expect(JSON.stringify(visible(withGuard, []))).toBe(JSON.stringify(visible(without, [])));
  });

  unless("provider-executed", "sees the calls that the provider runs", async () => {
    const { tools } = recordedTools({ isProviderExecuted: true });
    const { requests } = await wireGuarded(tools).run(providerScript());

    expect(requests.some((request) => textOf(request).includes(WORDS))).toBe(true);
    expect(requests.map(({ messages }) => protocolFaults(messages))).toEqual(requests.map(() => []));
  });

  unless("concurrent", "keeps runs apart that happen at the same time", async () => {
    const { tools } = recordedTools();
    const host = wireGuarded(tools);
    const reports = await Promise.all([0, 1, 2, 3].map((pages) => host.run(lateScript(pages))));

    expect(reports.map(({ requests }) => requests.length)).toEqual([3, 4, 5, 6]);
    expect(reports.flatMap(({ requests }) => requests.map((request) => countOf(request, WORDS)))).toEqual(
      Array.from({ length: 18 }, () => 0),
    );
  });

  it("begins each run anew", async () => {
    const { tools } = recordedTools();
    const host = wireGuarded(tools);
    const reports = [await host.run(loopScript(2)), await host.run(loopScript(2)), await host.run(loopScript(2))];

    expect(reports.flatMap(({ requests }) => requests.map((request) => countOf(request, WORDS)))).toEqual(
      Array.from({ length: 9 }, () => 0),
    );
  });

  unless("concurrent", "leaves a healthy run alone beside one that loops", async () => {
    const bare = recordedTools();
    const { tools, executed } = recordedTools();
    const alone = await driver.wire(bare.tools, undefined).run(healthyScript(false));
    const host = wireGuarded(tools);
    const [, healthy] = await Promise.all([host.run(loopScript()), host.run(healthyScript(false))]);

    // Four of the loop, and the two of the healthy run.
    if (abilities.block) expect(executed.filter((call) => call.startsWith("look_up"))).toHaveLength(4 + 2);
    expect(JSON.stringify(visible(healthy, []))).toBe(JSON.stringify(visible(alone, [])));
  });

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

  it("goes on as decided if a callback throws", async () => {
    const quiet = await loop();
    const { tools, executed } = recordedTools();
    const throws = (): never => refuse();
    const { requests, error } = await driver
      .wire(tools, { onStop: throws, onDowngrade: throws, onDecision: throws, onFault: throws })
      .run(loopScript());

    expect(error).toBeUndefined();
    expect(executed).toEqual(quiet.executed);
    expect(requests).toHaveLength(quiet.requests.length);
  });

  it("refuses options that make no sense when it is wired", () => {
    expect(() => driver.wire(recordedTools().tools, { ladder: [] })).toThrow("ladder: at least one rung is required");
  });
}

function refuse(): never {
  throw new Error("the disk is full");
}

function brokenGuard(): Guard {
  return { observe: refuse, peek: refuse, allow: refuse, reset: refuse, stats: refuse, snapshot: refuse };
}

/** What somebody outside can tell two runs apart by. */
function visible({ requests, outcome, error, approvals }: HostReport, executed: readonly string[]) {
  return { requests: requests.map(({ raw }) => raw), outcome, error: error && String(error), approvals, executed };
}

function textOf(request: HostRequest | undefined): string {
  const parts = request?.messages.flatMap(({ parts }) => parts) ?? [];
  return parts.map((part) => ("text" in part ? part.text : "")).join("\n");
}

function countOf(request: HostRequest | undefined, words: string): number {
  return textOf(request).split(words).length - 1;
}

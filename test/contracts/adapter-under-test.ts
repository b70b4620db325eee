import { expect, it } from "vitest";
import type { HostDowngrade, HostOptions, LoopStop } from "../../packages/doomloop/src/host/host-options.ts";
import type {
  AdapterDriver,
  HostFeature,
  HostReport,
  RunHow,
  ScriptedAnswer,
  ScriptedTool,
  WiredHost,
} from "./adapter-driver.ts";
import { visible } from "./adapter-report.ts";
import { loopScript, QUICK, recordedTools } from "./adapter-scripts.ts";

export type AdapterUnderTest = ReturnType<typeof underTest>;

/** A driver, with what the tests of all subjects do with it. */
export function underTest(driver: AdapterDriver) {
  const unless = (feature: HostFeature, title: string, test: () => Promise<void>): void => {
    const reason = driver.lacks?.[feature];
    if (reason === undefined) it(title, test);
    else it.skip(`${title} (not here: ${reason})`, test);
  };

  /** Wires the adapter to quick guards, and fails where it has a fault: a fault must not pass for a healthy run. */
  const wireGuarded = (tools: readonly ScriptedTool[], options: HostOptions = {}): WiredHost => {
    const faults: unknown[] = [];
    const host = driver.wire(tools, { ...QUICK, ...options, onFault: (fault) => void faults.push(fault) });
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
    const stops: LoopStop[] = [];
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

  return { driver, unless, wireGuarded, loop, both };
}

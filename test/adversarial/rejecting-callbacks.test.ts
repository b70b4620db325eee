import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createGuard, type FleetMember, type GuardOptions } from "doomloop";
import { createStoreFleet } from "doomloop/fleet";
import { guard } from "doomloop/openai";
import { createTelemetry } from "doomloop/telemetry";
import { describe, expect, it } from "vitest";
import { memberOf } from "../../packages/doomloop/src/fleet/fleet-evidence.ts";
import type { HostOptions } from "../../packages/doomloop/src/host/host-options.ts";
import { createHostRuns } from "../../packages/doomloop/src/host/host-runs.ts";
import { step, times } from "../builders.ts";
import { createMemoryStore } from "../contracts/fleet-memory-store.ts";
import { createRecordingMeter } from "../recording-meter.ts";

/** What somebody else wrote, and what it does when it is called. */
type Callback = () => never;

const laps = times(8, step("read_file", { path: "a.ts" }, "export const a = 1;"));

function guardWith(options: GuardOptions): string[] {
  const guard = createGuard(options);
  return laps.map((event) => guard.observe(event).action);
}

/** A run of a host that cannot stop, and one that can: so that both are told of everything. */
function hostWith(options: HostOptions): string[] {
  return (["clean", "none"] as const).flatMap((stop) => {
    const run = createHostRuns(options, { nudge: "result", block: true, stop }).start("thread");
    return Array.from({ length: 8 }, () => {
      const { action, id } = run.call({ tool: "read_file", args: { path: "a.ts" } });
      run.result({ id, output: "export const a = 1;" });
      return action;
    });
  });
}

function telemetryWith(options: object): string[] {
  const { provider } = createRecordingMeter();
  const guard = createTelemetry({ meterProvider: provider, ...options } as never).instrument(createGuard());
  return laps.map((event) => guard.observe(event).action);
}

/** How far a fleet lets guards act whose option is asked at every event. */
function modeOf(mode: Callback): string[] {
  const fleet = createStoreFleet({ store: createMemoryStore(), key: "a key of sixteen bytes", mode });
  return guardWith({ fleet: fleet.join({ worker: "one" }) });
}

const member = (own: Partial<FleetMember>): GuardOptions => ({
  fleet: memberOf({ world: "here", report() {}, verdict: () => undefined, ...own }),
});

/** Every callback that the package takes, by where it is declared. What is done stays what it is without the callback. */
const CALLBACKS: Readonly<Record<string, (callback: Callback) => string[]>> = {
  "core/options.ts onDecision": (callback) => guardWith({ onDecision: callback }),
  "core/options.ts onFault": (callback) => guardWith({ onDecision: callback, onFault: callback }),
  "core/policy/tool-rules.ts ignore": (callback) => guardWith({ rules: { read_file: { ignore: callback } } }),
  "core/policy/tool-rules.ts identity": (callback) => guardWith({ rules: { read_file: { identity: callback } } }),
  "core/policy/tool-rules.ts fleet": (callback) =>
    guardWith({ ...member({}), rules: { read_file: { fleet: callback as () => undefined } } }),
  "fleet/fleet-member.ts report": (callback) => guardWith(member({ report: callback })),
  "fleet/fleet-member.ts verdict": (callback) => guardWith(member({ verdict: callback })),
  "fleet/fleet-member.ts mode": (callback) => guardWith(member({ mode: callback })),
  "fleet/store-fleet-options.ts mode": modeOf,
  "host/host-options.ts deliver": (callback) => hostWith({ deliver: callback }),
  "host/host-options.ts onStop": (callback) => hostWith({ onStop: callback }),
  "host/host-options.ts onDowngrade": (callback) => hostWith({ onDowngrade: callback }),
  "host/host-options.ts state": (callback) => hostWith({ state: callback }),
  "host/host-options.ts compactions": (callback) => hostWith({ compactions: callback }),
  "telemetry/telemetry.ts activeSpan": (callback) => telemetryWith({ activeSpan: callback }),
  "telemetry/telemetry.ts onFault": (callback) => telemetryWith({ activeSpan: callback, onFault: callback }),
};

/** Those that are tested elsewhere, or are no callbacks that tell somebody something. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "host/host-options.ts createGuard": "leaves a run unwatched if it fails: host-runs.test.ts",
  "adapters/openai-agents/guard.ts finalOutput": "needs the host: test/hosts/openai-agents",
  "fleet/store-fleet-options.ts onFault": "needs a store: store-fleet.test.ts",
  "fleet/store-fleet-options.ts onFinding": "needs a store: store-fleet.test.ts",
  "fleet/fleet.ts now": "a clock",
  "workspace/workspace-options.ts now": "a clock",
};

async function quietly(run: () => string[]): Promise<{ actions: string[]; unhandled: unknown[] }> {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  const actions = run();
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.off("unhandledRejection", note);
  return { actions, unhandled };
}

const FAULTS: readonly [string, Callback][] = [
  [
    "throws",
    () => {
      throw new Error("the pager is down");
    },
  ],
  ["rejects", (() => Promise.reject(new Error("the pager is down"))) as unknown as Callback],
  [
    "rejects later",
    (async () =>
      Promise.reject(new Error(String(await new Promise((late) => setTimeout(late, 1)))))) as unknown as Callback,
  ],
];

describe.each(Object.entries(CALLBACKS))("%s", (_, run) => {
  it.each(FAULTS)("that %s reaches nobody, and changes nothing", async (_how, callback) => {
    const untroubled = run((() => undefined) as Callback);
    const { actions, unhandled } = await quietly(() => run(callback));

    expect(actions).toEqual(untroubled);
    expect(unhandled).toEqual([]);
  });
});

it("a callback in an adapter is as harmless as one in the list", async () => {
  const reject = FAULTS[1]![1];
  const { unhandled } = await quietly(() => {
    const messages: object[] = [{ role: "user", content: "go" }];
    const observe = guard(messages, { onStop: reject, onDecision: reject, onFault: reject });
    for (let at = 0; at < 8; at++) {
      const call = { id: `c${at}`, type: "function", function: { name: "look", arguments: "{}" } };
      messages.push({ role: "assistant", content: null, tool_calls: [call] });
      for (const { id } of observe().calls as { id: string }[])
        messages.push({ role: "tool", tool_call_id: id, content: "nothing found" });
      observe();
    }
    return [];
  });

  expect(unhandled).toEqual([]);
});

it("the list is whole", () => {
  const root = join(import.meta.dirname, "../../packages/doomloop/src");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (file) =>
      /(?:options|agent|telemetry|tool-rule|fleet-member)\.ts$/.test(file) && !/^(?:cli|transcripts)/.test(file),
  );
  const declared = files.flatMap((file) => {
    const source = readFileSync(join(root, file), "utf8");
    return [...source.matchAll(/^ {2}readonly (\w+)\?: (?:[\w"| ]+\| )*\(?\(/gm)].map(
      ([, name]) => `${file.replaceAll("\\", "/")} ${name}`,
    );
  });

  expect(declared.length).toBeGreaterThan(8);
  expect(declared.filter((name) => !(name in CALLBACKS) && !(name in ELSEWHERE))).toEqual([]);
});

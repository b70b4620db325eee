import { createGuard } from "doomloop";
import { createMemoryFleet } from "doomloop/fleet";
import { createTelemetry } from "doomloop/telemetry";
import { expect, it } from "vitest";
import type { LoopStop } from "../../packages/doomloop/src/host/host-options.ts";
import { createRecordingMeter } from "../recording-meter.ts";
import { createMeeting } from "./adapter-meeting.ts";
import { countOf, visible, WORDS } from "./adapter-report.ts";
import { healthyScript, lateScript, loopScript, pageScript, recordedTools } from "./adapter-scripts.ts";
import type { AdapterUnderTest } from "./adapter-under-test.ts";

/** What an adapter that is wired once does with many runs. */
export function manyRuns({ driver, unless, wireGuarded }: AdapterUnderTest): void {
  const { abilities } = driver;

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

  it("ends a run that is to start over, where it can end one, and lets the next begin anew", async () => {
    const { tools, executed } = recordedTools();
    const host = wireGuarded(tools, { ladder: ["nudge", "block", "restart", "stop"] });
    const first = await host.run(loopScript());
    const second = await host.run(pageScript());

    if (abilities.stop !== "none") {
      expect(first.requests).toHaveLength(6);
      expect(JSON.parse(JSON.stringify(first.stop))).toMatchObject({
        status: "LOOP_DETECTED",
        action: "restart",
        findings: [{ kind: "repeated-call", tools: ["read_file"], count: 4 }],
      });
    }
    expect(first.error).toBeUndefined();
    expect(second.stop).toBeUndefined();
    expect(executed.filter((call) => call.startsWith("read_page"))).toHaveLength(10);
    expect(second.requests.map((request) => countOf(request, WORDS))).toEqual(second.requests.map(() => 0));
  });

  unless("concurrent", "leaves a healthy run alone beside one that loops", async () => {
    const bare = recordedTools();
    const { tools, executed } = recordedTools();
    const alone = await driver.wire(bare.tools, undefined).run(healthyScript(false));
    const host = wireGuarded(tools);
    const [, healthy] = await Promise.all([host.run(loopScript()), host.run(healthyScript(false))]);

    // Four of the loop, and the two of the healthy run.
    if (abilities.block) expect(executed.filter((call) => call.startsWith("read_file"))).toHaveLength(4 + 2);
    expect(JSON.stringify(visible(healthy, []))).toBe(JSON.stringify(visible(alone, [])));
  });

  unless("concurrent", "keeps runs apart whose calls have equal ids at the same moment", async () => {
    const loopAlone = await wireGuarded(recordedTools().tools).run(loopScript());
    const pagesAlone = await wireGuarded(recordedTools().tools).run(pageScript());
    const { tools, executed } = recordedTools({}, createMeeting(3, 4));
    const stops: LoopStop[] = [];
    const host = wireGuarded(tools, { onStop: (stop) => void stops.push(stop) });
    const reports = await Promise.all([loopScript(), pageScript(), loopScript()].map((script) => host.run(script)));

    const expected = [loopAlone, pagesAlone, loopAlone];
    expect(reports.map((report) => visible(report))).toEqual(expected.map((report) => visible(report)));
    // Four of each loop, and the ten pages.
    if (abilities.block) expect(executed).toHaveLength(4 + 10 + 4);
    if (abilities.stop !== "none") expect(stops).toHaveLength(2);
  });

  it("counts all of every run where `createGuard` instruments its guard", async () => {
    const { provider, totals } = createRecordingMeter();
    const telemetry = createTelemetry({ meterProvider: provider });
    const host = wireGuarded(recordedTools().tools, {
      createGuard: (options) => telemetry.instrument(createGuard(options)),
    });
    await host.run(loopScript());
    await host.run(loopScript(2));

    expect(totals()).toMatchObject({
      "doomloop.runs": 2,
      "doomloop.runs.looping": 1,
      "doomloop.calls": abilities.stop === "none" ? 12 : 8,
      "doomloop.onset.calls": abilities.stop === "none" ? 7 : 3,
      "doomloop.nudges.settled{doomloop.nudge.outcome=ignored}": 2,
    });
  });

  it("tells a run of the dead ends of others where `createGuard` joins a fleet", async () => {
    const fleet = createMemoryFleet({ calls: 4, countAll: true });
    let workers = 0;
    const host = wireGuarded(recordedTools().tools, {
      createGuard: (options) => createGuard({ ...options, fleet: fleet.join({ worker: `worker-${++workers}` }) }),
    });
    const reports = [await host.run(loopScript(2)), await host.run(loopScript(2)), await host.run(loopScript(1))];

    expect(fleet.findings()).toMatchObject([{ calls: 5, workers: 3 }]);
    expect(reports.map(({ requests }) => countOf(requests.at(-1), WORDS))).toEqual([
      0,
      0,
      abilities.nudge === "none" ? 0 : 1,
    ]);
  });
}

import { createTelemetry } from "doomloop/telemetry";
import { describe, expect, it } from "vitest";
import { createRecordingMeter } from "../../../../test/recording-meter.ts";

function newTelemetry() {
  const meter = createRecordingMeter();
  return { ...meter, telemetry: createTelemetry({ meterProvider: meter.provider }) };
}

describe("the observer of a fleet", () => {
  it("measures flushes in seconds, and counts their reports by outcome", () => {
    const { telemetry, totals } = newTelemetry();
    const observer = telemetry.observeFleet();
    observer.onFlush({ durationMs: 4, reports: 10, outcome: "delivered" });
    observer.onFlush({ durationMs: 25, reports: 3, outcome: "timeout" });

    expect(totals()).toEqual({
      "doomloop.fleet.flush.duration{doomloop.flush.outcome=delivered}": 0.004,
      "doomloop.fleet.flush.duration{doomloop.flush.outcome=timeout}": 0.025,
      "doomloop.fleet.reports{doomloop.flush.outcome=delivered}": 10,
      "doomloop.fleet.reports{doomloop.flush.outcome=timeout}": 3,
    });
  });

  it("leaves unsent flushes out of the latency", () => {
    const { telemetry, totals } = newTelemetry();
    telemetry.observeFleet().onFlush({ durationMs: 5, reports: 7, outcome: "dropped" });

    expect(totals()).toEqual({ "doomloop.fleet.reports{doomloop.flush.outcome=dropped}": 7 });
  });

  it("ignores invalid numbers and unknown outcomes", () => {
    const { telemetry, totals } = newTelemetry();
    const observer = telemetry.observeFleet();
    observer.onFlush({ durationMs: Number.NaN, reports: -1, outcome: "failed" });
    observer.onFlush({ durationMs: 1, reports: 1, outcome: "redis://secret@host" as never });
    observer.onState("constructor" as never);

    expect(totals()).toEqual({
      "doomloop.fleet.flush.duration{doomloop.flush.outcome=other}": 0.001,
      "doomloop.fleet.reports{doomloop.flush.outcome=other}": 1,
    });
  });

  it("shows how many fleets are in each state, and counts changes", () => {
    const { telemetry, totals, gauges } = newTelemetry();
    const [one, two, three] = [telemetry.observeFleet(), telemetry.observeFleet(), telemetry.observeFleet()];
    for (const observer of [one, two, three]) observer.onState("connected");
    one.onState("connected");
    one.onState("degraded");

    expect(gauges()).toEqual({
      "doomloop.fleet.state{doomloop.fleet.state=connected}": 2,
      "doomloop.fleet.state{doomloop.fleet.state=degraded}": 1,
    });
    expect(totals()).toEqual({
      "doomloop.fleet.changes{doomloop.fleet.state=connected}": 3,
      "doomloop.fleet.changes{doomloop.fleet.state=degraded}": 1,
    });
  });

  it("shows nothing for a fleet that has ended", () => {
    const { telemetry, gauges, totals } = newTelemetry();
    const [one, two] = [telemetry.observeFleet(), telemetry.observeFleet()];
    for (const observer of [one, two]) observer.onState("connected");
    one.onState("degraded");
    one.onState("ended");
    one.onState("ended");

    expect(Object.values(gauges()).filter((fleets) => fleets !== 0)).toEqual([1]);
    expect(gauges()).toMatchObject({ "doomloop.fleet.state{doomloop.fleet.state=connected}": 1 });
    expect(totals()).toEqual({
      "doomloop.fleet.changes{doomloop.fleet.state=connected}": 2,
      "doomloop.fleet.changes{doomloop.fleet.state=degraded}": 1,
    });
  });
});

describe("dead ends", () => {
  it("are read when metrics are collected, until that is stopped", () => {
    const { telemetry, gauges } = newTelemetry();
    const findings: string[] = ["a"];
    const end = telemetry.watchDeadEnds({ findings: () => findings });
    findings.push("b");

    expect(gauges()).toEqual({ "doomloop.fleet.dead_ends": 2 });
    end();
    expect(gauges()).toEqual({});
  });
});

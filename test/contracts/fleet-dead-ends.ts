import { expect, it } from "vitest";
import { fingerprint, report, reports, tell } from "./fleet-reports.ts";
import type { CreateSwarm } from "./fleet-swarm.ts";

/** What a fleet knows of its dead ends, and when it forgets them. */
export function fleetDeadEnds(swarm: CreateSwarm): void {
  it("lists its dead ends with their workers, the one with the most calls first", async () => {
    const { one, two, fleet } = await swarm({ calls: 2 });
    tell(one, report(0), report(1, { fingerprint: fingerprint(1), tool: "search" }));
    tell(two, ...reports(3), report(3, { fingerprint: fingerprint(1), tool: "search" }));
    tell(one, report(2, { fingerprint: fingerprint(2) }));
    await fleet.flush();

    const findings = fleet.findings().map((finding) => ({ ...finding, workerNames: finding.workerNames.toSorted() }));
    const both = { workers: 2, windowMs: 300_000, workerNames: ["one", "two"] };
    expect(findings).toEqual([
      { fingerprint: expect.any(String), tool: "fetch", calls: 4, ...both },
      { fingerprint: expect.any(String), tool: "search", calls: 2, ...both },
    ]);
    expect(findings[0]!.fingerprint).not.toBe(findings[1]!.fingerprint);
  });

  it("knows nothing after it was cleared, and counts on for members that joined before", async () => {
    const { one, two, fleet, verdict } = await swarm({ calls: 2 });
    tell(one, report(0));
    tell(two, report(0));
    fleet.clear();
    expect(await verdict()).toBeUndefined();
    expect(fleet.findings()).toEqual([]);

    tell(one, report(1));
    tell(two, report(1));
    expect(await verdict()).toMatchObject({ calls: 2 });
  });

  it("shares nothing with another fleet", async () => {
    const here = await swarm({ calls: 2 });
    const there = await swarm({ calls: 2 });
    tell(here.one, report(0));
    tell(there.two, report(0));
    expect(await here.verdict()).toBeUndefined();

    tell(here.two, report(0));
    there.fleet.clear();
    expect(await here.verdict()).toMatchObject({ calls: 2 });
    expect(await there.verdict()).toBeUndefined();
  });
}

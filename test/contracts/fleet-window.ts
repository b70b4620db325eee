import { expect, it } from "vitest";
import { report, reports, tell } from "./fleet-reports.ts";
import type { CreateSwarm } from "./fleet-swarm.ts";

/** How long a call counts. */
export function fleetWindow(swarm: CreateSwarm): void {
  it("forgets calls that are older than the window", async () => {
    const { one, two, clock, verdict } = await swarm({ calls: 4, windowMs: 60_000 });
    tell(one, ...reports(2));
    tell(two, ...reports(2));
    expect(await verdict()).toMatchObject({ calls: 4 });

    clock.at += 60_000;
    expect(await verdict()).toBeUndefined();
  });

  it("never adds up calls that no window holds together", async () => {
    const { one, two, clock, verdict } = await swarm({ calls: 4, windowMs: 60_000 });
    for (let at = 0; at < 20; at++) {
      tell(at % 2 === 0 ? one : two, report(at));
      expect(await verdict()).toBeUndefined();
      clock.at += 20_000;
    }
  });

  it("goes on when its clock is set back, and still forgets with the time that passes", async () => {
    const { one, two, clock, verdict } = await swarm({ calls: 4, windowMs: 60_000 });
    tell(one, ...reports(2));
    clock.at -= 86_400_000;
    tell(two, ...reports(2));
    expect(await verdict()).toMatchObject({ calls: 4 });

    clock.at += 60_000;
    expect(await verdict()).toBeUndefined();
  });
}

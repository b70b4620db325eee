import { expect, it } from "vitest";
import type { FleetReport } from "../../packages/doomloop/src/fleet/fleet-member.ts";
import { report, tell } from "./fleet-reports.ts";
import type { CreateSwarm } from "./fleet-swarm.ts";

/** What a fleet does with what is no report, and no worker. */
export function fleetRefusals(swarm: CreateSwarm): void {
  const broken: { title: string; report: unknown }[] = [
    { title: "no report at all", report: undefined },
    { title: "no id", report: { ...report(9), id: undefined } },
    { title: "a number for an id", report: { ...report(9), id: 9 } },
    { title: "no word on what came of it", report: { ...report(9), isBarren: undefined } },
    { title: "no tool", report: { ...report(9), tool: undefined } },
    { title: "words in place of a fingerprint", report: { ...report(9), fingerprint: "cat secret.txt" } },
  ];

  it.each(broken)("neither throws nor counts for $title", async ({ report: wrong }) => {
    const { one, two, fleet, verdict } = await swarm({ calls: 2 });
    tell(one, report(0));
    expect(() => tell(two, wrong as FleetReport, wrong as FleetReport)).not.toThrow();

    expect(await verdict()).toBeUndefined();
    expect(fleet.findings()).toEqual([]);
    tell(two, report(0));
    expect(await verdict()).toMatchObject({ calls: 2 });
  });

  it.each([{ worker: "" }, { worker: "w".repeat(257) }, { worker: 7 as never }, { worker: "one", run: 7 as never }])(
    "refuses $worker as a worker",
    async (worker) => {
      const { fleet } = await swarm();

      expect(() => fleet.join(worker)).toThrow(expect.objectContaining({ code: "invalid-option" }));
    },
  );
}

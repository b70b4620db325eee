import { describe, expect, it } from "vitest";
import { deadEndKinds, honestKinds } from "../../bench/fleet/honest/honest-kinds.ts";
import { reportedDeadEndKinds, reportedHonestKinds } from "../../bench/fleet/honest/reported-kinds.ts";
import { simulateOutage } from "../../bench/fleet/honest/simulate-outage.ts";
import { simulateDeadEnd, simulateHonest } from "../../bench/fleet/honest/simulate-swarm.ts";
import { type KindOutcome, simulateKinds } from "../../bench/fleet/honest/simulate-threads.ts";
import { unseenDeadEndKinds, unseenHonestKinds } from "../../bench/fleet/honest/unseen-kinds.ts";

const seed = 7;

/** The bench at a small size: `npm run bench fleet -- --honest` has 10,000 workers. */
describe("a swarm", () => {
  const size = { processes: 20, workers: 200, rampMs: 6_000, seed };

  it.each([...honestKinds, ...unseenHonestKinds, ...reportedHonestKinds])(
    "tells nobody falsely: $title",
    async (kind) => {
      const { told, findings } = await simulateHonest(kind, size);

      expect([told, findings]).toEqual([0, 0]);
    },
  );

  const allDeadEnds = [...deadEndKinds, ...unseenDeadEndKinds, ...reportedDeadEndKinds];

  it.each(allDeadEnds.filter(({ isMissed }) => !isMissed))(
    "knows within two heartbeats, and says so once: $title",
    async (kind) => {
      const { lastMs, findings } = await simulateDeadEnd(kind, size);

      expect(lastMs).toBeLessThanOrEqual(10_000);
      expect(findings).toBe(1);
    },
  );

  it.each(allDeadEnds.filter(({ isMissed }) => isMissed))("needs a rule for the tool: $title", async (kind) => {
    const { tool } = kind.step;
    const options = { rules: { [tool]: { fleet: "shared" as const } } };

    expect(await simulateDeadEnd(kind, size)).toMatchObject({ lastMs: undefined, findings: 0 });
    expect(await simulateDeadEnd({ ...kind, options }, size)).toMatchObject({ findings: 1 });
  });

  it("lives through each kind once in threads, with the outcome that it has alone", async () => {
    const tiny = { processes: 2, workers: 20, rampMs: 1_000, seed };
    const known: KindOutcome[] = [];
    await simulateKinds(tiny, (outcome) => void known.push(outcome));
    const [first] = deadEndKinds;

    expect(new Set(known.map(({ outcome }) => outcome.title)).size).toBe(
      honestKinds.length + unseenHonestKinds.length + reportedHonestKinds.length + allDeadEnds.length,
    );
    expect(known.find(({ outcome }) => outcome.title === first!.title)?.outcome).toEqual(
      await simulateDeadEnd(first!, tiny),
    );
  });

  it("reports an outage once from each process at most, and then falls silent", async () => {
    const { processes, firstReports, laterReportsPerSecond, announcements } = await simulateOutage({
      processes: 300,
      seed,
    });

    expect(firstReports).toBeLessThanOrEqual(2 * processes);
    expect(laterReportsPerSecond).toBe(0);
    expect(announcements).toBeLessThan(20);
  });
});

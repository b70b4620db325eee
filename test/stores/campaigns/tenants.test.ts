import { createGuard } from "doomloop";
import type { RedisFleet } from "doomloop/fleet";
import { describe, expect, it } from "vitest";
import { call, failure, user } from "../../builders.ts";
import { engines, isInstalled } from "../servers/engine.ts";
import { joinCampaign } from "./campaign-fleet.ts";
import { campaignSize } from "./campaign-size.ts";
import { publish } from "./publish.ts";
import { readStore } from "./read-store.ts";
import { startTopology } from "./topology.ts";

const flood = campaignSize({ short: 50_000, full: 1_000_000 });
const floodsAtOnce = 5_000;
const steps = 200;
/** A flooded server answers late. Whether tenants are kept apart is asked here, not whether it answers in time. */
const patience = { deadlineMs: 10_000, maxDelayMs: 300_000 };
/** What else the flood is of: of one fingerprint only so much travels at once. */
const others = Array.from({ length: 490 }, (_, at) => String.fromCharCode(0x3400 + at).repeat(9));
/** The dead ends of both tenants: the same calls, and so the same fingerprints. */
const pages = Array.from({ length: 10 }, (_, at) => ({ url: `https://docs.test/${at}` }));

/** Four workers run into ten pages that do not answer, step by step; returns every decision as bytes. */
async function decisionsOf(fleet: RedisFleet, fingerprints: Set<string>): Promise<string> {
  const guards = Array.from({ length: 4 }, (_, at) => {
    const member = fleet.join({ worker: `worker-${at}` });
    const report: typeof member.report = (each) => {
      fingerprints.add(each.fingerprint);
      member.report(each);
    };
    return createGuard({ fleet: { ...member, report } });
  });
  const decisions: unknown[] = [];
  for (let step = 0; step < steps; step++) {
    const guard = guards[step % guards.length]!;
    const page = Math.floor(step / guards.length) % pages.length;
    for (const event of [user(), call("fetch", pages[page]!), failure(`no page ${page}, try ${step}`)]) {
      decisions.push(guard.observe(event));
    }
    await fleet.flush();
  }
  return JSON.stringify(decisions);
}

/** Reports the same fingerprints, among many others, as fast as they are taken. */
async function pour(fleet: RedisFleet, fingerprints: readonly string[]): Promise<void> {
  const members = Array.from({ length: 16 }, (_, at) => fleet.join({ worker: `worker-${at}` }));
  for (let at = 0; at < flood; at++) {
    const fingerprint = fingerprints[at % fingerprints.length]!;
    members[at % members.length]!.report({ id: String(at), fingerprint, tool: "fetch", isBarren: true });
    if (at % floodsAtOnce === 0) await fleet.flush();
  }
  await fleet.flush();
}

describe.each(engines.filter(isInstalled))("two tenants on one %s", (engine) => {
  it(`keep apart: ${flood} calls of one leave the other's decisions byte for byte`, async () => {
    const topology = await startTopology(engine, "standalone");
    const quiet = await joinCampaign(topology, { ...patience, tenant: "quiet" });
    const flooding = await joinCampaign(topology, { ...patience, tenant: "flooding" });
    const beside = await joinCampaign(topology, { ...patience, tenant: "beside" });
    try {
      const fingerprints = new Set<string>();
      const alone = await decisionsOf(quiet.fleet, fingerprints);
      expect(fingerprints.size).toBe(pages.length);

      const start = performance.now();
      const poured = pour(flooding.fleet, [...fingerprints, ...others]);
      const besideFlood = await decisionsOf(beside.fleet, new Set());
      await poured;
      const seconds = (performance.now() - start) / 1000;
      const { delivered } = flooding.fleet.stats();
      const stored = await readStore(await topology.primaries(), "flooding");
      publish(
        `tenants | ${engine} | ${flood} calls, ${delivered} delivered | ${seconds.toFixed(1)} s | identical ${besideFlood === alone}`,
      );

      expect(delivered).toBe(flood);
      expect(stored.length).toBeGreaterThan(others.length * 10);
      expect(besideFlood).toBe(alone);
      expect(alone).toContain('"nudge"');
    } finally {
      await Promise.all([quiet, flooding, beside].map((each) => each.stop()));
      await topology.stop();
    }
  });
});

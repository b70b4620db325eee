import { describe, expect, it } from "vitest";
import { memberOf } from "../../../packages/doomloop/src/fleet/fleet-evidence.ts";
import { createNameOf } from "../../../packages/doomloop/src/fleet/process/fleet-names.ts";
import { KEY, TENANT } from "./campaign-fleet.ts";
import { createLedger } from "./ledger.ts";

const page = "\u3400".repeat(9);
const name = createNameOf(KEY, TENANT)(page);

function kept(verdict?: { calls: number; workers: number; windowMs: number }) {
  const ledger = createLedger(TENANT);
  const member = (process: string, worker: string) =>
    ledger.keep(process, worker, memberOf({ report() {}, verdict: () => verdict }));
  const tell = (to: ReturnType<typeof member>, id: string, isBarren = true) =>
    to.report({ id, fingerprint: page, tool: "fetch", isBarren });
  return { ledger, tell, one: member("p", "one"), two: member("q", "two") };
}

describe("a ledger", () => {
  it.each([
    { title: "each call once", stored: { calls: 2, witnesses: 2 }, overCounts: 0 },
    { title: "some calls lost", stored: { calls: 1, witnesses: 1 }, overCounts: 0 },
    { title: "a call too many", stored: { calls: 3, witnesses: 2 }, overCounts: 1 },
    { title: "a process too many", stored: { calls: 2, witnesses: 3 }, overCounts: 1 },
    { title: "what nobody reported", stored: { name: "other", calls: 1, witnesses: 1 }, overCounts: 1 },
  ])("audits a store with $title", ({ stored, overCounts }) => {
    const { ledger, tell, one, two } = kept();
    tell(one, "1");
    tell(one, "1");
    tell(two, "1");

    expect(ledger.audit([{ name, ...stored }])).toMatchObject({ reported: 2, stored: stored.calls, overCounts });
  });

  it("does not count calls before a success", () => {
    const { ledger, tell, one, two } = kept();
    tell(one, "1");
    ledger.draw();
    tell(one, "2", false);
    tell(two, "1");

    expect(ledger.audit([{ name, calls: 1, witnesses: 1 }]).overCounts).toBe(0);
    expect(ledger.audit([{ name, calls: 2, witnesses: 2 }]).overCounts).toBe(1);
  });

  it("notices a verdict with more calls than were reported", () => {
    const { ledger, tell, one } = kept({ calls: 2, workers: 1, windowMs: 1 });
    tell(one, "1");
    one.verdict(page);
    tell(one, "2");
    one.verdict(page);

    expect(ledger.audit([]).falseVerdicts).toBe(1);
  });
});

import type { FleetMember, StoreFleet } from "doomloop/fleet";
import { until } from "../servers/until.ts";
import { fingerprintOf } from "./campaign.ts";
import type { Ledger } from "./ledger.ts";

/** How long two processes try the same page. Reports may be lost while a connection comes back, so they go on to the next page. */
const ATTEMPT_MS = 3000;
const FIRST_CALLS = 5;

/**
 * The time until a third process learns of a dead end that two others find after this call: the store counts again, and the news
 * arrives again.
 */
export async function timeUntilBack(
  ledger: Ledger,
  one: StoreFleet,
  two: StoreFleet,
  third: StoreFleet,
): Promise<number> {
  const members = [one, two].map((fleet, at) => ledger.keep(`${at}`, `probe ${at}`, fleet.join({ worker: "probe" })));
  const listener = third.join({ worker: "listener" });
  const start = performance.now();
  const pages = [fingerprintOf(0)];
  let calls = 0;
  const run = (member: FleetMember, fingerprint: string) =>
    member.report({ id: String(calls++), fingerprint, tool: "probe", isBarren: true });

  for (let at = 0; at < FIRST_CALLS; at++) for (const member of members) run(member, pages[0]!);
  const isHeardOf = (): boolean => {
    if (performance.now() - start > pages.length * ATTEMPT_MS) pages.push(fingerprintOf(pages.length));
    for (const member of members) run(member, pages.at(-1)!);
    return pages.some((page) => listener.verdict(page) !== undefined);
  };
  await until("a third process hears of a dead end", isHeardOf, { everyMs: 100 });
  return performance.now() - start;
}

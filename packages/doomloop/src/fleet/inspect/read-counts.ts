import { counted, type Suspect } from "../redis/dead-ends.ts";
import { numberIn } from "../redis/replies.ts";
import type { FleetStore } from "./open-store.ts";

/** What the store counts of a fingerprint now; no calls where it counts none. */
export async function readCounts(
  { ask, keys }: FleetStore,
  name: string,
): Promise<Pick<Suspect, "calls" | "workers" | "lastsMs">> {
  const { calls, witnesses } = keys.of(name);
  const replies = await ask([
    ["PFCOUNT", calls],
    ["PFCOUNT", witnesses],
    ["PTTL", calls],
  ]);
  const numbers = replies.map((reply) => numberIn(reply) ?? 0);
  return { ...counted(numbers), lastsMs: numbers[2] ?? 0 };
}

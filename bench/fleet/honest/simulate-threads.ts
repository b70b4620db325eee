import { availableParallelism } from "node:os";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { type DeadEndKind, deadEndKinds, type HonestKind, honestKinds } from "./honest-kinds.ts";
import { reportedDeadEndKinds, reportedHonestKinds } from "./reported-kinds.ts";
import {
  type DeadEndOutcome,
  type HonestOutcome,
  type SwarmSize,
  simulateDeadEnd,
  simulateHonest,
} from "./simulate-swarm.ts";
import { unseenDeadEndKinds, unseenHonestKinds } from "./unseen-kinds.ts";

const honest: readonly HonestKind[] = [...honestKinds, ...unseenHonestKinds, ...reportedHonestKinds];
const ends: readonly DeadEndKind[] = [...deadEndKinds, ...unseenDeadEndKinds, ...reportedDeadEndKinds];

/** What became of one kind of work, in either of the two ways. */
export type KindOutcome =
  | { readonly what: "honest"; readonly outcome: HonestOutcome }
  | { readonly what: "end"; readonly outcome: DeadEndOutcome; readonly isMissed: boolean };

const COUNT = honest.length + ends.length;

/**
 * Simulates every kind of work, as many at once as there are cores. Each thread has globals of its own, so each simulation has a clock of
 * its own, and one seed gives the same outcomes on any machine. `onOutcome` hears of each as soon as it is known, in no fixed order.
 */
export async function simulateKinds(size: SwarmSize, onOutcome: (outcome: KindOutcome) => void): Promise<void> {
  let next = 0;
  const runThread = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const thread = new Worker(new URL(import.meta.url), { workerData: size });
      const goOn = (): void => {
        if (next < COUNT) thread.postMessage(next++);
        else void thread.terminate().then(() => resolve());
      };
      thread.on("error", reject);
      thread.on("message", (outcome: KindOutcome) => {
        onOutcome(outcome);
        goOn();
      });
      goOn();
    });
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), COUNT) }, runThread));
}

async function simulateKind(at: number, size: SwarmSize): Promise<KindOutcome> {
  if (at < honest.length) return { what: "honest", outcome: await simulateHonest(honest[at]!, size) };
  const kind = ends[at - honest.length]!;
  return { what: "end", outcome: await simulateDeadEnd(kind, size), isMissed: kind.isMissed === true };
}

if (!isMainThread)
  parentPort?.on("message", async (at: number) => {
    parentPort?.postMessage(await simulateKind(at, workerData as SwarmSize));
  });

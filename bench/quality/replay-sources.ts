import { statSync } from "node:fs";
import type { JudgedSource } from "./judged-run.ts";
import type { ReplayOrder, SourceKind } from "./replay-order.ts";
import { askWorkers } from "./worker-pool.ts";

/** How much longer a file takes than its size tells: innocent runs are replayed in all variants. */
const EFFORT: Readonly<Record<SourceKind, number>> = { recorded: 1, later: 1, sessions: 3, everyday: 3 };

/** Replays trace files on as many threads as there are cores; returns the sources in the order of their names. */
export async function replaySources(orders: readonly ReplayOrder[]): Promise<JudgedSource[]> {
  // The longest first, so that no thread is left alone with it at the end.
  const longestFirst = [...orders].sort((one, other) => effortOf(other) - effortOf(one));
  const script = new URL("./replay-worker.ts", import.meta.url);
  const sources = await askWorkers<ReplayOrder, JudgedSource>(script, undefined, longestFirst);
  return sources.sort((one, other) => (one.source < other.source ? -1 : 1));
}

function effortOf({ path, kind }: ReplayOrder): number {
  return EFFORT[kind] * statSync(path).size;
}

import { resolve } from "node:path";
import type { Asked } from "./command-line.ts";
import type { Data } from "./find-data.ts";
import type { ReplayOrder, SourceKind } from "./replay-order.ts";

/** The orders to replay all runs of a kind. */
export function ordersOf(
  { preset, detector }: Pick<Asked, "preset" | "detector">,
  { traces }: Data,
  kind: SourceKind,
): ReplayOrder[] {
  return traces[kind].map((path) => ({
    path,
    kind,
    preset,
    ...(detector === undefined ? {} : { detector: resolve(detector) }),
  }));
}

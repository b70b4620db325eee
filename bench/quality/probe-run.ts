import type { AgentEvent } from "../../packages/doomloop/src/index.ts";
import type { ReplayedDecision } from "../../packages/doomloop/src/scan/replay/replay-run.ts";
import type { TraceRun } from "../../packages/doomloop/src/transcripts/trace/trace-run.ts";
import { type Acts, actsOf } from "./acts.ts";
import type { Expectation } from "./everyday/expectation.ts";
import type { SourceKind } from "./replay-order.ts";
import { type Bite, biteOf, type RowBite, rowBiteOf, TOOTH_CLASSES } from "./teeth/bite-of.ts";
import { continueLoop } from "./teeth/continue-loop.ts";
import { continueRow } from "./teeth/continue-row.ts";
import { type VariantName, variants } from "./variants/variants.ts";

/** What our guard did where a run was told otherwise, or went on. */
export interface Probes {
  /** Of an innocent run: in all its variants. */
  readonly variants?: Readonly<Record<VariantName, Acts>>;
  /** Of an everyday loop that is beyond argument: when it went on. */
  readonly bite?: Bite;
  /** Of a recorded run with a row of equal calls: what was done when the row went on. */
  readonly row?: RowBite;
}

/** Asks our guard what is to be asked of a run beyond what was recorded. */
export function probeRun(
  { run, events }: TraceRun,
  kind: SourceKind,
  expectation: Expectation | undefined,
  host: (events: readonly AgentEvent[]) => readonly ReplayedDecision[],
): Probes {
  if (kind === "later") return {};
  if (kind === "recorded") {
    const row = continueRow(events);
    return row === undefined ? {} : { row: rowBiteOf(row.first, host(row.events)) };
  }
  if (expectation?.expect !== "spoken") {
    const names = Object.keys(variants) as VariantName[];
    const acts = names.map((name) => [name, actsOf(host(variants[name](events, run)))]);
    return { variants: Object.fromEntries(acts) as Record<VariantName, Acts> };
  }
  if (!TOOTH_CLASSES.has(expectation.class)) return {};
  return { bite: biteOf(expectation, host(continueLoop(events, expectation))) };
}

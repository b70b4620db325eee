import { addAmounts, lateSpending } from "../../../doomloop/src/scan/report/amounts.ts";
import type { Amount } from "../../../doomloop/src/scan/report/report.ts";
import type { LoopRow } from "../report/report-index.ts";

export type GroupBy = "agent" | "project" | "tool" | "kind";
export type Measure = "cost" | "tokens" | "calls";

/** Loops that have something in common, and what was spent on them after the guard would have spoken. */
export interface LoopGroup {
  /** Null for loops without one: no project was recorded. */
  readonly name: string | null;
  readonly loops: number;
  readonly calls: number;
  readonly tokens: Amount | null;
  readonly costUsd: Amount | null;
  /** Tokens of those loops whose price is unknown. */
  readonly unpricedTokens: Amount | null;
}

/** Sums up loops by what they have in common, the dearest first. The cost of a loop of several tools is divided evenly. */
export function groupLoops(rows: readonly LoopRow[], by: GroupBy, measure: Measure): readonly LoopGroup[] {
  const groups = new Map<string | null, LoopGroup>();
  for (const row of rows) {
    const names = namesOf(row, by);
    for (const name of names) groups.set(name, add(groups.get(name) ?? empty(name), row, 1 / names.length));
  }
  return [...groups.values()].toSorted(
    (one, other) =>
      sizeOf(other, measure) - sizeOf(one, measure) ||
      sizeOf(other, "tokens") - sizeOf(one, "tokens") ||
      other.calls - one.calls,
  );
}

/** How large a group is by a measure: the upper end of what is known. */
export function sizeOf(group: LoopGroup, measure: Measure): number {
  if (measure === "calls") return group.calls;
  return (measure === "cost" ? group.costUsd : group.tokens)?.high ?? 0;
}

function namesOf({ loop, agent, project, tools }: LoopRow, by: GroupBy): readonly (string | null)[] {
  if (by === "agent") return [agent];
  if (by === "project") return [project];
  if (by === "kind") return [loop.kind];
  return tools.length === 0 ? [null] : tools;
}

function add(group: LoopGroup, { loop }: LoopRow, share: number): LoopGroup {
  const { calls } = loop.afterOnset;
  const { tokens, costUsd } = lateSpending(loop.afterOnset);
  return {
    name: group.name,
    loops: group.loops + 1,
    calls: group.calls + calls * share,
    tokens: addAmounts(group.tokens, tokens, share),
    costUsd: addAmounts(group.costUsd, costUsd, share),
    unpricedTokens: costUsd === null ? addAmounts(group.unpricedTokens, tokens, share) : group.unpricedTokens,
  };
}

function empty(name: string | null): LoopGroup {
  return { name, loops: 0, calls: 0, tokens: null, costUsd: null, unpricedTokens: null };
}

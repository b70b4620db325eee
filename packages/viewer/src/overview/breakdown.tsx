import { useMemo, useState } from "preact/hooks";
import { tokensInWords } from "../../../doomloop/src/scan/report/amounts.ts";
import { closelyKnown } from "../../../doomloop/src/scan/report/answer.ts";
import { count, kindWords } from "../../../doomloop/src/scan/report/words.ts";
import { Foreign } from "../page/foreign.tsx";
import type { LoopRow } from "../report/report-index.ts";
import type { LoopFilter } from "../table/filter-loops.ts";
import { type GroupBy, groupLoops, type LoopGroup, type Measure, sizeOf } from "./group-loops.ts";

interface BreakdownProps {
  readonly rows: readonly LoopRow[];
  readonly by: GroupBy;
  readonly title: string;
  readonly measure: Measure;
  readonly onChoose: (filter: LoopFilter) => void;
}

const FIRST = 5;
const MOST = 100;

/** One side of the cost: the dearest groups, each with its bar. A group narrows the table down to itself. */
export function Breakdown({ rows, by, title, measure, onChoose }: BreakdownProps) {
  const groups = useMemo(() => groupLoops(rows, by, measure), [rows, by, measure]);
  const [isOpen, setOpen] = useState(false);
  const most = Math.max(0, ...groups.map((group) => sizeOf(group, measure)));
  const shown = groups.slice(0, isOpen ? MOST : FIRST);

  return (
    <div class="breakdown">
      <h3>{title}</h3>
      <ul>
        {shown.map((group) => (
          <li key={group.name ?? ""}>
            <GroupBar group={group} by={by} measure={measure} most={most} onChoose={onChoose} />
          </li>
        ))}
      </ul>
      {groups.length > FIRST && (
        <button type="button" class="quiet small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen
            ? `First ${FIRST} only`
            : groups.length > MOST
              ? `First ${MOST} of ${count(groups.length)}`
              : `All ${groups.length}`}
          <span class="unseen"> of {title}</span>
        </button>
      )}
    </div>
  );
}

interface GroupBarProps extends Pick<BreakdownProps, "by" | "measure" | "onChoose"> {
  readonly group: LoopGroup;
  readonly most: number;
}

function GroupBar({ group, by, measure, most, onChoose }: GroupBarProps) {
  const { low, high } = rangeOf(group, measure);
  const part = (value: number) => ({ width: `${most > 0 ? (value / most) * 100 : 0}%` });
  const filter: LoopFilter | undefined =
    by === "project" ? { project: group.name } : group.name === null ? undefined : { [by]: group.name };
  return (
    <button type="button" class="group" disabled={filter === undefined} onClick={() => filter && onChoose(filter)}>
      <span class="group-name">
        <Foreign text={nameOf(group, by)} />
      </span>
      <span class="group-loops">{count(group.loops, "loop")}</span>
      <span class="group-value">{spentOn(group, measure)}</span>
      {measure === "cost" && group.costUsd !== null && group.unpricedTokens !== null && (
        <span class="group-more note">and {tokensInWords(group.unpricedTokens)} of unknown price</span>
      )}
      <span class="group-track" aria-hidden="true">
        <span class="group-high" style={part(high)} />
        <span class="group-low" style={part(low)} />
      </span>
    </button>
  );
}

function nameOf({ name }: LoopGroup, by: GroupBy): string {
  if (name === null) return by === "project" ? "no project recorded" : "no tool";
  return by === "kind" ? kindWords(name).name : name;
}

function rangeOf(group: LoopGroup, measure: Measure): { readonly low: number; readonly high: number } {
  const amount = measure === "cost" ? group.costUsd : group.tokens;
  return measure === "calls"
    ? { low: group.calls, high: group.calls }
    : { low: amount?.low ?? 0, high: amount?.high ?? 0 };
}

function spentOn(group: LoopGroup, measure: Measure): string {
  if (measure === "calls") return count(group.calls, "call");
  return closelyKnown(measure === "tokens" ? { ...group, costUsd: null } : group) ?? count(group.calls, "call");
}

import type { LoopSummary, ReportStep } from "../../../doomloop/src/scan/report/report.ts";
import { actionWords, addedInWords, addsNothing, capitalized, count } from "../../../doomloop/src/scan/report/words.ts";
import { formatTime } from "../format/format-time.ts";
import { ActionMark } from "../page/action-mark.tsx";
import { Foreign } from "../page/foreign.tsx";
import { Comparison } from "./comparison.tsx";
import { findPrevious } from "./find-previous.ts";
import type { StripCell } from "./layout-strip.ts";
import { cellColour } from "./step-colour.ts";
import { StepMoves } from "./step-moves.tsx";

interface StepDetailProps {
  readonly steps: readonly ReportStep[];
  readonly total: number;
  readonly cells: readonly StripCell[];
  readonly loops: readonly LoopSummary[];
  readonly selected: number;
  readonly onSelect: (position: number) => void;
  readonly includesContent: boolean;
}

/** One step: its call, its outcome, and what is different from the last time. */
export function StepDetail({ steps, total, cells, loops, selected, onSelect, includesContent }: StepDetailProps) {
  const stepCells = cells.filter((cell) => cell.type === "step");
  const cell = stepCells[selected];
  if (cell === undefined) return null;
  const { step, group, actions, uncounted } = cell;
  const previous = findPrevious(steps, selected, loops);

  return (
    <section class="detail" aria-label="The chosen step">
      <StepMoves cells={stepCells} selected={selected} onSelect={onSelect} />
      <h3>
        <span class={`swatch ${cellColour(cell)}`} aria-hidden="true">
          {group?.letter ?? step.call}
        </span>{" "}
        <Foreign text={step.label} />
      </h3>
      <p class="note">
        Call {count(step.call)} of {count(total)}
        {group !== undefined && `, step ${group.letter}, one of ${count(group.count)}`}
        {step.at !== null && `, ${formatTime(step.at, "second") ?? "at an unknown time"}`}
      </p>
      {actions.map((action) => (
        <p key={action} class="detail-action">
          <ActionMark action={action} /> Here the guard would have <b>{actionWords(action).done}</b>:{" "}
          {actionWords(action).meaning}.
        </p>
      ))}
      {uncounted.map((reason) => (
        <p key={reason} class="note">
          <span aria-hidden="true">○</span> <Foreign text={capitalized(addsNothing(reason))} />.
        </p>
      ))}
      {step.added !== undefined && <p class="note">{addedInWords(step.added)} to the evidence.</p>}
      <dl>
        <dt>Tool</dt>
        <dd>
          <Foreign text={step.tool} />
        </dd>
        <dt>Outcome</dt>
        <dd>{step.outcome === null ? "no result" : step.isFailing ? "failed" : "fine"}</dd>
      </dl>
      <Comparison
        step={step}
        previous={previous}
        isCounted={uncounted.length === 0}
        loops={loops}
        includesContent={includesContent}
        onSelect={() => {
          const position = previous === undefined ? -1 : steps.indexOf(previous.step);
          if (position >= 0) onSelect(position);
        }}
      />
    </section>
  );
}

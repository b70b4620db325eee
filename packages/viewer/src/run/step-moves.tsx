import type { ComponentChildren } from "preact";
import type { StepCell } from "./layout-strip.ts";
import { equalAfter, equalBefore } from "./move-in-strip.ts";

interface StepMovesProps {
  readonly cells: readonly StepCell[];
  readonly selected: number;
  readonly onSelect: (position: number) => void;
}

/** Buttons that go to the steps around, and to the equal ones. */
export function StepMoves({ cells, selected, onSelect }: StepMovesProps) {
  const back = (what: string, target: number | undefined) => (
    <Move target={cells[target ?? -1]?.position} onSelect={onSelect}>
      <span aria-hidden="true">← </span>
      <span class="unseen">Previous </span>
      {what}
    </Move>
  );
  const on = (what: string, target: number | undefined) => (
    <Move target={cells[target ?? -1]?.position} onSelect={onSelect}>
      <span class="unseen">Next </span>
      {what}
      <span aria-hidden="true"> →</span>
    </Move>
  );
  return (
    <div class="detail-moves">
      {back("step", selected - 1)}
      {on("step", selected + 1)}
      {back("equal", equalBefore(cells, selected))}
      {on("equal", equalAfter(cells, selected))}
    </div>
  );
}

interface MoveProps {
  /** Undefined where there is nowhere to go: the button stays, so that focus does. */
  readonly target: number | undefined;
  readonly onSelect: (position: number) => void;
  readonly children: ComponentChildren;
}

function Move({ target, onSelect, children }: MoveProps) {
  return (
    <button
      type="button"
      class="small"
      aria-disabled={target === undefined}
      onClick={() => target !== undefined && onSelect(target)}
    >
      {children}
    </button>
  );
}

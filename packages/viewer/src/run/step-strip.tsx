import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { count } from "../../../doomloop/src/scan/report/words.ts";
import { Brackets } from "./brackets.tsx";
import type { Strip, StripCell } from "./layout-strip.ts";
import { moveInStrip } from "./move-in-strip.ts";
import { stepInNextRow } from "./step-in-next-row.ts";
import { StripStep } from "./strip-step.tsx";

interface StepStripProps {
  readonly strip: Strip;
  /** Place among the listed steps, from 0. */
  readonly selected: number;
  readonly onSelect: (position: number) => void;
}

/** The run as a strip of steps. One stop for the tab key; arrow keys go through it. */
export function StepStrip({ strip, selected, onSelect }: StepStripProps) {
  const list = useRef<HTMLOListElement>(null);
  const isMoving = useRef(false);
  const hasBegun = useRef(false);
  const steps = useMemo(() => strip.cells.filter((cell) => cell.type === "step"), [strip]);

  useLayoutEffect(() => {
    const button = list.current?.querySelector<HTMLElement>(`[data-position="${selected}"]`);
    if (isMoving.current) button?.focus();
    else if (hasBegun.current) button?.scrollIntoView({ block: "nearest" });
    else if (button) showWithin(button, list.current?.parentElement);
    isMoving.current = false;
    hasBegun.current = true;
  }, [selected]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || list.current === null) return;
    const tiles = () => [...(list.current?.querySelectorAll<HTMLElement>(".tile") ?? [])];
    const target = moveInStrip(event, steps, selected, (direction) => stepInNextRow(tiles(), selected, direction));
    if (target === undefined) return;
    event.preventDefault();
    if (target === selected) return;
    isMoving.current = true;
    onSelect(target);
  };

  // Nodes that are the same as before are not looked at again: with a move, two of a thousand steps change.
  const nodes = useMemo(() => strip.cells.map((cell, index) => draw(cell, index, false, onSelect)), [strip, onSelect]);
  const chosen = strip.cells.findIndex((cell) => cell.type === "step" && cell.position === selected);
  const cell = strip.cells[chosen];

  return (
    <div>
      <p class="note" id="strip-keys">
        Equal steps share a letter. Only calls of a loop have a colour.
        <span class="keys"> Arrow keys move; with Shift, left and right go to the equal step.</span>
      </p>
      <div class="picture-steps">
        <ol
          class={`strip lanes-${strip.lanes}`}
          ref={list}
          onKeyDown={onKeyDown}
          aria-describedby="strip-keys"
          aria-label="Steps"
        >
          {cell === undefined ? nodes : nodes.with(chosen, draw(cell, chosen, true, onSelect))}
        </ol>
      </div>
    </div>
  );
}

/** Scrolls a frame to one of its tiles, and not the page: that begins at its heading. */
function showWithin(tile: HTMLElement, frame: HTMLElement | null | undefined): void {
  if (!frame) return;
  const above = tile.getBoundingClientRect().top - frame.getBoundingClientRect().top;
  if (above > frame.clientHeight / 2) frame.scrollTop += above - frame.clientHeight / 2;
}

function draw(cell: StripCell, index: number, isSelected: boolean, onSelect: (position: number) => void) {
  if (cell.type === "step") return <StripStep key={index} cell={cell} isSelected={isSelected} onSelect={onSelect} />;
  return (
    <li key={index} class="cell cell-gap">
      <Brackets parts={cell.brackets} />
      <span class="gap">{count(cell.calls, "call")} not shown</span>
    </li>
  );
}

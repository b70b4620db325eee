import { actionWords, addsNothing } from "../../../doomloop/src/scan/report/words.ts";
import { printable } from "../format/printable.ts";
import { ActionMark } from "../page/action-mark.tsx";
import { Brackets } from "./brackets.tsx";
import type { StepCell } from "./layout-strip.ts";
import { cellColour } from "./step-colour.ts";

interface StripStepProps {
  readonly cell: StepCell;
  readonly isSelected: boolean;
  readonly onSelect: (position: number) => void;
}

const MAX_WORDS = 120;
/** More would lie on the neighbours' marks. The strongest are kept, and the step's details name all. */
const MAX_MARKS = 2;

/** One step of the strip: bracket above, mark of the guard, tile with its letter and its number. */
export function StripStep({ cell, isSelected, onSelect }: StripStepProps) {
  const { position, group, isBarren, brackets, actions, uncounted, step } = cell;
  return (
    <li class="cell">
      <Brackets parts={brackets} />
      <span class="cell-marks" aria-hidden="true">
        {actions.slice(-MAX_MARKS).map((action) => (
          <ActionMark key={action} action={action} />
        ))}
      </span>
      <button
        type="button"
        class={`tile ${cellColour(cell)}`}
        data-position={position}
        data-call={step.call}
        tabIndex={isSelected ? 0 : -1}
        aria-current={isSelected ? "step" : undefined}
        aria-label={wordsOf(cell)}
        onClick={() => onSelect(position)}
      >
        {group !== undefined && (
          <span class="tile-letter" aria-hidden="true">
            {group.letter}
          </span>
        )}
        {isBarren && uncounted.length === 0 && (
          <span class="tile-barren" aria-hidden="true">
            =
          </span>
        )}
        {step.isFailing && (
          <span class="tile-failing" aria-hidden="true">
            !
          </span>
        )}
        {uncounted.length > 0 && (
          <span class="tile-uncounted" aria-hidden="true" title={uncounted.map(uncountedWords).join("\n")}>
            ○
          </span>
        )}
      </button>
    </li>
  );
}

function uncountedWords(reason: string): string {
  return printable(addsNothing(reason).slice(0, MAX_WORDS));
}

function wordsOf({ step, group, isBarren, brackets, actions, uncounted }: StepCell): string {
  return [
    `Call ${step.call}: ${printable(step.label.slice(0, MAX_WORDS))}`,
    group ? `step ${group.letter}` : "no equal step",
    step.isFailing ? "failed" : "",
    isBarren ? "same outcome as before" : "",
    ...uncounted.map(uncountedWords),
    ...brackets.map(({ loop }) => `in loop ${loop + 1}`),
    ...actions.map((action) => `the guard would have ${actionWords(action).done} here`),
  ]
    .filter((part) => part !== "")
    .join(", ");
}

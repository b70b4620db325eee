import type { StepCell } from "./layout-strip.ts";

interface Key {
  readonly key: string;
  readonly shiftKey: boolean;
}

/** Where a key leads in the strip; undefined for a key that is not ours. Rows are asked for only where they matter. */
export function moveInStrip(
  { key, shiftKey }: Key,
  steps: readonly StepCell[],
  selected: number,
  inNextRow: (direction: -1 | 1) => number,
): number | undefined {
  const target = targetOf(shiftKey ? `Shift+${key}` : key, steps, selected, inNextRow);
  return target === undefined ? undefined : Math.min(steps.length - 1, Math.max(0, target));
}

function targetOf(
  key: string,
  steps: readonly StepCell[],
  selected: number,
  inNextRow: (direction: -1 | 1) => number,
): number | undefined {
  switch (key) {
    case "ArrowLeft":
      return selected - 1;
    case "ArrowRight":
      return selected + 1;
    case "ArrowUp":
      return inNextRow(-1);
    case "ArrowDown":
      return inNextRow(1);
    case "Shift+ArrowLeft":
      return equalBefore(steps, selected) ?? selected;
    case "Shift+ArrowRight":
      return equalAfter(steps, selected) ?? selected;
    case "Home":
      return 0;
    case "End":
      return steps.length - 1;
    default:
      return undefined;
  }
}

/** The latest equal step before one; undefined where there is none. */
export function equalBefore(steps: readonly StepCell[], selected: number): number | undefined {
  const group = steps[selected]?.group;
  return group && steps.findLast((cell) => cell.position < selected && cell.group === group)?.position;
}

/** The next equal step after one; undefined where there is none. */
export function equalAfter(steps: readonly StepCell[], selected: number): number | undefined {
  const group = steps[selected]?.group;
  return group && steps.find((cell) => cell.position > selected && cell.group === group)?.position;
}

import { actionWords } from "../../../doomloop/src/scan/report/words.ts";

/** The sign of what the guard would have done: a shape and a colour. Says nothing to a screen reader: words stand beside it. */
export function ActionMark({ action }: { readonly action: string }) {
  return (
    <span class={`mark mark-${ACTION_CLASSES.has(action) ? action : "other"}`} aria-hidden="true">
      {actionWords(action).mark}
    </span>
  );
}

const ACTION_CLASSES = new Set(["nudge", "block", "restart", "stop"]);

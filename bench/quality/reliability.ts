import type { JudgedRun } from "./judged-run.ts";
import type { LabelledWindow } from "./labels.ts";
import { scoreWindow } from "./score-windows.ts";

/** How often findings of one confidence were right, over the labelled windows in which the guard spoke. */
export interface ReliabilityRow {
  readonly confidence: number;
  /** Windows whose first word was said with this confidence. */
  readonly windows: number;
  readonly right: number;
}

/** Holds what findings claim against what the labels say: by the first word in each window, the surest first. */
export function reliabilityOf(
  windows: readonly LabelledWindow[],
  runOf: (name: string) => {
    readonly decisions: readonly Pick<JudgedRun["decisions"][number], "call" | "confidence">[];
  },
): ReliabilityRow[] {
  const rows = new Map<number, { windows: number; right: number }>();
  for (const window of windows) {
    const spoken = runOf(window.run).decisions.filter(({ call }) => call >= window.from && call < window.to);
    const { verdict } = scoreWindow(
      window,
      spoken.map(({ call }) => call),
    );
    // A word before the first redundant call is neither a hit nor, in a loop, a false alarm.
    if (verdict === "miss" || verdict === "quiet") continue;
    const counted = verdict === "hit" ? spoken.find(({ call }) => call >= window.onset) : spoken[0];
    const row = rows.get(counted!.confidence) ?? { windows: 0, right: 0 };
    rows.set(counted!.confidence, row);
    row.windows++;
    if (verdict === "hit") row.right++;
  }
  return [...rows]
    .map(([confidence, row]) => ({ confidence, ...row }))
    .sort((one, other) => other.confidence - one.confidence);
}

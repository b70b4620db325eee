import type { Replay } from "../replay/replay-run.ts";

/** Turns replayed runs into what is printed. Holds no more of them than it must: there may be millions. */
export interface ReplayReporter {
  /** What to print after one more run; often nothing yet. */
  add(run: string, replay: Replay): string;
  /** What to print at the end. */
  end(): string;
}

import type { PresetName } from "../../packages/doomloop/src/index.ts";

/** What kind of runs a source has, which decides what is asked of them. Those that were recorded later were drawn when the guard was built. */
export type SourceKind = "recorded" | "later" | "sessions" | "everyday";

/** Whether the runs are somebody else's, with labels that are about them as they were recorded. */
export function isRecorded(kind: SourceKind): boolean {
  return kind === "recorded" || kind === "later";
}

/** What to replay, and through what. */
export interface ReplayOrder {
  /** A trace file: one source. */
  readonly path: string;
  readonly kind: SourceKind;
  readonly preset: PresetName;
  /** A module with somebody else's detector. */
  readonly detector?: string;
}

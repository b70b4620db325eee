import type { RestingGuard } from "../../core/snapshot.ts";
import type { SavedHostRun } from "../../host/host-run.ts";
import type { Finding, GuardOptions } from "../../index.ts";
import type { Rollback } from "./rollback.ts";

/** Raised whenever the saved form changes. */
export const HOOK_STATE_VERSION = 3;

/** What is saved of a run between two events: numbers, hashes and words of our own. */
export interface HookState {
  readonly version: typeof HOOK_STATE_VERSION;
  readonly guard: RestingGuard;
  readonly run: SavedHostRun;
  /** The latest time that the guard was told, so that time never runs backwards if somebody sets the clock back. */
  readonly at: number;
  /** Whether the agent has ever said that the calls of an answer are over. Until then, rounds are inferred. */
  readonly tellsRounds?: boolean;
  /** The loop that was reported last. */
  readonly finding?: Finding;
  /** Whether the latest event belongs to that loop. */
  readonly isLooping?: boolean;
  /** When a person last allowed a loop. */
  readonly allowedAt?: number;
  /** The call that a person was asked about. If it runs, the answer was yes, and the loop is allowed. */
  readonly asked?: { readonly call: string; readonly finding: Finding };
  /** Where the run can start over from. */
  readonly rollback?: Rollback;
  /** How many events of all runs had been missed by then. */
  readonly missedEvents: number;
  /** How often events were missed between two events of this run. */
  readonly gaps: number;
}

export interface HookSettings {
  /** Nobody watches: calls may be refused, and the run may be ended. */
  readonly isUnattended: boolean;
  /**
   * A run may start over, with its files as they were when the user last spoke. It does not if a person watches, nor for a subagent, which
   * shares its files with others.
   * @default false
   */
  readonly startsOver?: boolean;
  readonly guardOptions: GuardOptions;
  /**
   * When a person last allowed the latest loop.
   * @default never
   */
  readonly allowedAt?: number | undefined;
  readonly now: number;
  /**
   * How many events of all runs were missed so far.
   * @default 0
   */
  readonly missedEvents?: number;
  readonly reportFault: (fault: unknown) => void;
}

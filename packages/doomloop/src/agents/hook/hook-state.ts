import type { RestingGuard } from "../../core/snapshot.ts";
import type { SavedHostRun } from "../../host/host-run.ts";
import type { Finding, GuardOptions } from "../../index.ts";
import type { WayBack } from "./rollback.ts";

/** What is kept of a run between two events: numbers, hashes and words of our own. */
export interface HookState {
  readonly version: 2;
  readonly guard: RestingGuard;
  readonly run: SavedHostRun;
  /** The latest time that was told, so that a clock that is set back does not run backwards. */
  readonly at: number;
  /** Whether the agent has told that the calls of an answer were over. Until then, answers are told apart as for agents that never do. */
  readonly tellsRounds?: boolean;
  /** The loop that was spoken of last. */
  readonly finding?: Finding;
  /** Whether what happened last belongs to it. */
  readonly isLooping?: boolean;
  /** When somebody last said that it is none. */
  readonly allowedAt?: number;
  /** The call that a person was asked about: if it runs, the answer was yes, and the loop is none. */
  readonly asked?: { readonly call: string; readonly finding: Finding };
  /** Where the run can start over from. */
  readonly wayBack?: WayBack;
  /** How many events of any run had not been heard by then. */
  readonly unheard: number;
  /** How often there were some in between. */
  readonly gaps: number;
}

export interface HookSettings {
  /** Nobody watches: calls may be refused, and the run may be ended. */
  readonly isUnattended: boolean;
  /**
   * A run may start over, with its files as they were when the user spoke: not at the desk, and not a subagent, whose files are not its own.
   * @default false
   */
  readonly startsOver?: boolean;
  readonly guardOptions: GuardOptions;
  /**
   * When somebody said of the latest loop that it is none.
   * @default never
   */
  readonly allowedAt?: number | undefined;
  readonly now: number;
  /**
   * How many events of any run were not heard so far.
   * @default 0
   */
  readonly unheard?: number;
  readonly reportFault: (fault: unknown) => void;
}

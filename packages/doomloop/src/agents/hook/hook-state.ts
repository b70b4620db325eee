import { createHash } from "node:crypto";
import type { CoreGuard } from "../../core/guard.ts";
import type { GuardConfig } from "../../counting/configured-guard.ts";
import type { SavedHostRun } from "../../host/host-run.ts";
import type { Finding, Snapshot } from "../../index.ts";
import type { HookMoment } from "./dialect.ts";
import type { FolderSessions } from "./folder-sessions.ts";
import { isContinued, type Turns } from "./turns.ts";

/** A name for a run, whatever it is made of: it can name a file, and says nothing. */
export function nameOfRun(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}

/** Raised whenever the saved form changes. */
const VERSION = 8;

/** What is remembered of a run between two events. */
export interface HookState extends PlainState {
  /** The guard, or what a guard was saved as. */
  readonly guard: CoreGuard | Snapshot;
  /** The options that the guard was made with, as text. With other options it is made again. */
  readonly madeWith: string;
}

/** The same as one JSON value: numbers, hashes and words of our own. */
export interface SavedHookState extends PlainState {
  readonly version: typeof VERSION;
  readonly guard: Snapshot;
}

interface PlainState {
  readonly run: SavedHostRun;
  /** The latest time that the guard was told, so that time never runs backwards if somebody sets the clock back. */
  readonly at: number;
  /** Whether the agent has ever said that the calls of an answer are over. Until then, rounds are inferred. */
  readonly tellsRounds?: boolean;
  /** The ids of the latest calls that the agent reported, if it says when the calls of an answer are over. */
  readonly reported?: readonly string[];
  /** The last call of the latest answer whose calls are over. Two hooks of ours both report its end. */
  readonly ended?: string;
  /** The loop that was reported last. */
  readonly finding?: Finding;
  /** Whether the latest event belongs to that loop. */
  readonly isLooping?: boolean;
  /** Whether the agent or its user was ever told anything. */
  readonly hasSpoken?: boolean;
  /** Whether the end of the run was told and noted. */
  readonly isEndNoted?: boolean;
  /** Whether the last words before the end were said about calls that the agent rejects itself. */
  readonly isWarned?: boolean;
  /** The name of the folder's sessions that this one belongs to. */
  readonly folderRun?: string;
  /** If this is not one session but those of a folder: how they follow each other. */
  readonly sessions?: FolderSessions;
  /** The turns since the user spoke, once one has ended. */
  readonly turns?: Turns;
  /** What there was before the latest prompt, as long as it is not sure that it is the user's. */
  readonly undecided?: SavedHookState;
  /** When a person last allowed a loop. */
  readonly allowedAt?: number;
  /** The call that a person was asked about. If it runs, the answer was yes, and the loop is allowed. */
  readonly asked?: { readonly call: string; readonly finding: Finding };
  /** Whether the run was told to start over since the user spoke. It is told once. */
  readonly hasStartedOver?: boolean;
  /** The count of missed events at the latest event. If it has changed since, something was missed in between. */
  readonly missedEvents: number;
}

/** A run as JSON. */
export function saveHookState({ guard, madeWith: _, ...plain }: HookState): SavedHookState {
  return { ...plain, version: VERSION, guard: "observe" in guard ? guard.snapshot() : guard };
}

/** A saved run. Undefined if another version saved it, or somebody else. */
export function readHookState(value: unknown): HookState | undefined {
  const saved = value as Partial<SavedHookState> | null | undefined;
  if (typeof saved !== "object" || saved === null || saved.version !== VERSION) return undefined;
  const { version: _, ...rest } = saved as SavedHookState;
  return { ...rest, madeWith: "" };
}

/** What an event goes on from. If it shows that the latest prompt was not the user's, that is what there was before the prompt. */
export function decidedState(saved: HookState | undefined, moment: HookMoment): HookState | undefined {
  const { undecided, turns } = saved ?? {};
  const before = isContinued(moment, turns) ? readHookState(undecided) : undefined;
  if (before?.turns === undefined || turns?.prompt === undefined) return saved;
  const { endedAt: _, ...earlier } = before.turns;
  return { ...before, turns: { ...earlier, prompt: turns.prompt } };
}

/** Asks another model about a run. Nothing waits for it. */
export interface HookOpinion {
  /** The most questions in a run. */
  readonly questions: number;
  /** The guard at this event, which is followed from now on. */
  watch(guard: CoreGuard): Pick<CoreGuard, "observe">;
}

export interface HookSettings {
  /** Nobody watches: calls may be refused, and the run may be ended. */
  readonly isUnattended: boolean;
  /**
   * Whether a run gets a second chance before it is ended, if nobody watches.
   * @default false
   */
  readonly startsOver?: boolean;
  readonly guardOptions: GuardConfig;
  /**
   * When a person last allowed the latest loop.
   * @default never
   */
  readonly allowedAt?: number | undefined;
  readonly now: number;
  /**
   * A number that changes whenever an event of the session was missed.
   * @default 0
   */
  readonly missedEvents?: number;
  /**
   * Who is asked where rules cannot tell.
   * @default nobody
   */
  readonly opinion?: HookOpinion | undefined;
  readonly reportFault: (fault: unknown) => void;
}

import type { Finding, Guard, LoopStop } from "../index.ts";
import type { HostAbilities } from "./abilities.ts";
import type { SavedNames } from "./call-names.ts";
import type { HostOptions } from "./host-options.ts";
import type { SavedWords } from "./pending-words.ts";
import type { RequestListener } from "./second-opinion.ts";

/** A tool call that is about to run. */
export interface HostCall {
  /** The host's id of the call. If you can, pass the answer's `id` to {@link HostRun.result}, because that one is unique. */
  readonly id?: string | undefined;
  readonly tool: string;
  readonly args?: unknown;
  /** Whether the tool only reads, if the tool itself declares it. */
  readonly readOnly?: boolean | undefined;
  /** Whether the call has already been made, so that it cannot be refused. Its result is still to be reported. */
  readonly hasRun?: boolean | undefined;
}

/** The result of a call. */
export interface HostResult {
  readonly id: string;
  readonly output?: unknown;
  /** Whether the tool failed, if the host knows. */
  readonly error?: boolean | undefined;
  /** Whether the result arrived at an unknown time after the call, and is reported only now, with the next request. */
  readonly isLate?: boolean | undefined;
  /** Whether this is not the tool's answer but a guard's, which refused the call when it was made. */
  readonly isRefusal?: boolean | undefined;
}

/**
 * What a conversation that comes back shows about one of its parts. `told`: the agent was told something there, so what is decided
 * counts as said · `untold`: nothing was said there, so nothing is decided · `due`: nobody has answered it yet.
 */
export type Recalled = "told" | "untold" | "due";

/**
 * What to do with a call. `run`: run it as usual · `block`: do not run it, answer it with `message` · `stop`: do not run it, answer it
 * with `message`, and end the run, for good or to start over.
 */
export type CallAnswer = { readonly action: "run"; readonly id: string } | RefusedCall;

/** A call that must not run. */
export interface RefusedCall {
  readonly action: "block" | "stop";
  /** The end of the run, if the guard decided it. A host that cannot end a run refuses only the call. */
  readonly stop: LoopStop | undefined;
  readonly id: string;
  readonly message: string;
  /** Words for people. */
  readonly explanation: string | undefined;
}

/**
 * One run of a host, as its adapter sees it. The adapter reports what happened and learns what to do, within what the host can do.
 *
 * Nothing here throws. A fault of ours or of a callback is reported to `onFault` once; the host then behaves as if doomloop were absent.
 */
export interface HostRun {
  /** Before a call runs. A call that is not run is also observed as answered, so you need not report its result. */
  call(call: HostCall): CallAnswer;
  /** Whether {@link HostRun.call} would refuse this call now. Records nothing; the guard may still decide differently. */
  wouldRefuse(call: HostCall): boolean;
  /** After a call ran. Returns the words to append to this result; with `nudge: "message"`, fetch them with {@link HostRun.words}. */
  result(result: HostResult): string | undefined;
  /** The caller gave up a call, or the call never began. It counts neither as a failure nor as a repeat. Its words go to the next result. */
  abandon(id: string): void;
  /** A call that the host did not show us before it ran. It cannot be refused; words about it go to the next result. */
  past(call: Omit<HostCall, "hasRun"> & Omit<HostResult, "id" | "isLate" | "isRefusal">): void;
  /** Whatever `read` reports happened at an unknown time. `how` says whether it was answered then or must be answered now. */
  recall(how: Recalled, read: () => void): void;
  /** A model answer begins. Report either all of them or none. */
  round(): void;
  /** The user spoke. */
  user(text?: string): void;
  /**
   * What the user asked for, where {@link HostRun.user} gets no text: "24 times" excuses as many calls. The guard hears it at the beginning
   * of a turn, before the first call; a second opinion hears it each time. Otherwise `read` is not called.
   */
  asked(read: () => string | undefined): void;
  /** The agent answered without a call. With `partial`: a streamed piece of any answer, or the words beside a call. */
  text(text: string, options?: { readonly partial?: boolean }): void;
  /** The agent's reasoning, whole or in pieces. */
  reasoning(text: string): void;
  /** The conversation was compacted. */
  compaction(): void;
  /** Keeps words that did not fit where they belong. They come with the next result or message. */
  hold(words: string): void;
  /** Takes the words that are meant for the next message, if there are any. */
  words(): string | undefined;
  /** The end of the run, once it is decided. Remains until {@link HostRun.user}. */
  stopped(): LoopStop | undefined;
  /** What the run remembers besides its guard, for hosts that start a process for each event. */
  save(): SavedHostRun;
}

/** A run without its guard, as plain data. */
export interface SavedHostRun {
  readonly words: SavedWords;
  readonly names: SavedNames;
  readonly refused: readonly string[];
  readonly stop: LoopStop | undefined;
  readonly findings: readonly Finding[];
  /** When the run was saved. Results that are reported after that had arrived by then. */
  readonly at?: number;
}

export interface HostRunSettings {
  readonly guard: Pick<Guard, "observe"> & Partial<Pick<Guard, "peek">> & RequestListener;
  readonly abilities: HostAbilities;
  readonly options: HostOptions;
  /** The host's key of the run. */
  readonly run?: string | undefined;
  /**
   * A monotonic clock in milliseconds. The guard measures pauses with it, and how long a loop lasts.
   * @default the time of day at the start of the process plus the time since then, so that two processes of one run agree
   */
  readonly now?: () => number;
  /** A saved run to resume. */
  readonly saved?: SavedHostRun | undefined;
  /** Called with every fault. The creator of the runs must report only the first one to the user. */
  readonly reportFault: (fault: unknown) => void;
}

import type { OpinionVerdict } from "./question.ts";

/** What became of the words, for events of a run that is read from a record, or whose words came late. */
interface Recorded {
  /** The agent was told nothing when it happened. The event counts, and nothing is decided. */
  readonly untold?: boolean | undefined;
  /** Until this event, the agent had read nothing of what it was told. New words come before anything is refused. */
  readonly unheard?: boolean | undefined;
}

/** A tool call, before it runs. */
export interface CallEvent extends Recorded {
  readonly type: "call";
  /** Pairs the call with its result. Ids need not be unique: a result belongs to the latest open call with its id. */
  readonly id?: string | undefined;
  readonly tool: string;
  /** Any value, or the arguments as JSON text. Read once, never kept, never changed. */
  readonly args?: unknown;
  /** Milliseconds on any clock that does not run backwards. It shows pauses; without it, fewer loops are certain. */
  readonly at?: number | undefined;
  /** Whether the tool says that it changes nothing, as in MCP's `readOnlyHint`. */
  readonly readOnly?: boolean | undefined;
}

/** The result of a call. Without an id, it belongs to the oldest open call. */
export interface ResultEvent extends Recorded {
  readonly type: "result";
  readonly id?: string | undefined;
  /** Usually text. Any other value is compared by content. */
  readonly output?: unknown;
  /** Whether the tool failed, if the host knows. */
  readonly error?: boolean | undefined;
  /** A digest of the whole output, if `output` was cut. */
  readonly digest?: string | undefined;
  /** The length of the whole output, if `output` was cut. */
  readonly length?: number | undefined;
  readonly at?: number | undefined;
  /** A substitute for the tool's answer, such as our own refusal or that of a host. Never counts as progress. */
  readonly synthetic?: boolean | undefined;
  /** The caller gave up on the call before it finished. The guard forgets it: it is neither a failure nor a repeat. */
  readonly cancelled?: boolean | undefined;
}

/** An assistant's answer without calls; with `partial`, a streamed piece of any answer. */
export interface TextEvent extends Recorded {
  readonly type: "text";
  readonly text: string;
  readonly partial?: boolean | undefined;
  /** When the answer ended. Answers that come at long intervals keep a schedule. */
  readonly at?: number | undefined;
}

/** The model's thinking, whole or in pieces. */
interface ReasoningEvent extends Recorded {
  readonly type: "reasoning";
  readonly text: string;
}

/** A new model answer begins. If you send one, send one for every answer: rounds are inferred only if you never send any. */
interface RoundEvent extends Recorded {
  readonly type: "round";
}

/** The user said something. */
interface UserEvent extends Recorded {
  readonly type: "user";
  readonly text?: string | undefined;
}

/** The host's own measure of the world: a diff hash, the number of failing tests, a page's fingerprint. */
export interface StateEvent extends Recorded {
  readonly type: "state";
  readonly key: string;
  readonly value: unknown;
}

/** The conversation was compacted: the agent forgot what it had read; the guard did not. */
interface CompactionEvent extends Recorded {
  readonly type: "compaction";
}

/** What somebody answers to a {@link Question} of a decision, such as another model. Late and unknown answers do nothing. */
export interface OpinionEvent extends Recorded {
  readonly type: "opinion";
  /** The `id` of the question. */
  readonly question: number;
  readonly verdict: OpinionVerdict;
  /** The first call (0-based) that was made in vain. */
  readonly since?: number | undefined;
}

/** What happened: the only input of a guard. */
export type AgentEvent =
  | CallEvent
  | ResultEvent
  | TextEvent
  | ReasoningEvent
  | RoundEvent
  | UserEvent
  | StateEvent
  | CompactionEvent
  | OpinionEvent;

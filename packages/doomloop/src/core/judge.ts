import type { Verdict } from "./answer.ts";
import type { CallEvent, OpinionEvent } from "./event.ts";
import type { GuardMemory } from "./guard-memory.ts";
import type { Digest } from "./identity/digest.ts";
import type { Platform } from "./identity/read-object.ts";
import type { Judged } from "./judged.ts";
import type { ResolvedOptions } from "./options.ts";
import type { ToolRule } from "./policy/tool-rules.ts";
import type { OpinionVerdict, Question } from "./question.ts";
import type { Answers } from "./reading/talk.ts";
import type { TextRepeat } from "./reading/word-stream.ts";

/** Looks at what happened and says what is to be done about it. The core's own judge adds up evidence; a host may pass in another. */
export interface Judge {
  /** Calls are judged when they are made, whatever comes of them. */
  readonly isByCall: boolean;
  /** So many refusals in a row of a call that must not happen twice end the run. */
  readonly ended: number;
  /** A call, before it runs. `isBlind`: no result will come of it, so it is judged now or never. */
  onCall(judged: Judged, isBlind: boolean, event: CallEvent): Verdict | undefined;
  /** A call with its outcome. */
  onStep(judged: Judged): Verdict | undefined;
  /** An answer without a call ended. */
  onAnswer(answers: Answers): Verdict | undefined;
  /** Streamed words repeat themselves. */
  onStream(stream: "text" | "reasoning", repeat: TextRepeat): Verdict | undefined;
  /** The user spoke. */
  onUser(): void;
  /** The conversation was compacted: the agent forgot what it had read. */
  onCompaction(): void;
  /** What was said so far has not reached the agent: it has ignored nothing. */
  onUnheard(): void;
  /** Something happened that the host calls progress. */
  onProgress(): void;
  /** The host took a measure of the world. `isSame`: it is what it was, so nothing that it measures was changed. */
  onMeasure(key: Digest, isSame: boolean): void;
  /** Somebody answers a question. Returns what they say, if the question is open. */
  onOpinion(event: OpinionEvent): OpinionVerdict | undefined;
  /** Takes the question that the latest event raised, if there is one. */
  takeQuestion(): Question | undefined;
  /** A person says that this is no loop. Returns the calls that belong to it. */
  allow(loop: string): readonly string[];
}

/** A way to judge. */
export interface JudgeKind<Memory extends object = object> {
  /** What this judge remembers is saved under this name. */
  readonly name: string;
  /** It compares calls to the letter, and not by what they ask for. */
  readonly needsStrict: boolean;
  /** What it remembers at the beginning of a run: plain data. */
  createMemory(): Memory;
  create(memory: Memory, terms: JudgeTerms): Judge;
  /** The memory with a part of what it remembers, the latest. */
  trimmed(memory: Memory, part: number): Memory;
}

/** Throws for options that this judge cannot follow. */
export type JudgeFactory = (options: ResolvedOptions) => JudgeKind;

/** What the guard tells a judge. */
export interface JudgeTerms {
  readonly guard: Pick<GuardMemory, "run" | "allowed" | "allowedCalls" | "nudges" | "restarts">;
  readonly platform: Platform;
  readonly ruleOf: (tool: string) => ToolRule;
  /** Whether the agent hears what is said about this event. If not, nothing is said, and nothing has been ignored. */
  readonly isHeard: () => boolean;
  /** The event is from a record, and nothing was said at it: it counts, and what is due is due at the next one. */
  readonly isUntold: () => boolean;
  /** Others confirm that this step leads nowhere. */
  readonly isConfirmed: (judged: Judged) => boolean;
}

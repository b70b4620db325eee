import type { AgentEvent } from "../../core/event.ts";
import type { TranscriptUsage } from "../../transcripts/reader.ts";
import { cleanUsage } from "./usage.ts";

/** The recorded usage of one model answer, and the characters read and written. */
export interface LedgerAnswer {
  /** Cleaned by `cleanUsage`. Undefined if nothing was recorded. */
  usage: TranscriptUsage | undefined;
  /** Characters new to the model: results and user messages. */
  readCharacters: number;
  writtenCharacters: number;
  /** Calls made in this answer. */
  calls: number;
  /** Whether the conversation was compacted before this answer. */
  isFresh: boolean;
}

/** The model answers of a run in order, with what each used. */
export interface AnswerLedger {
  /** Index of the current answer, from 0. -1 before the first. */
  current(): number;
  note(event: AgentEvent): void;
  addUsage(usage: TranscriptUsage): void;
  /** The answers. In a very long run, each place holds several. */
  places(): readonly LedgerAnswer[];
  /** The place of an answer. -1 stays -1. */
  placeOf(answer: number): number;
  /** Whether any answer has usage above zero. If all are zero, or no valid numbers, nothing is known. */
  hasUsage(): boolean;
  /** Whether each answer has its own place. */
  isWhole(): boolean;
}

/**
 * Beyond this number, two neighbouring answers share a place, then four, and so on, because a run may have millions of
 * answers.
 */
const MAX_PLACES = 65_536;

/** Creates the ledger of a run. `round` events separate answers. Without them, results and user messages do. */
export function createAnswerLedger(): AnswerLedger {
  let answers: LedgerAnswer[] = [];
  let count = 0;
  let shift = 0;
  let hasRounds = false;
  let isBetween = true;
  let waitingCharacters = 0;
  let isFresh = false;
  let early: TranscriptUsage | undefined;
  let hasUsage = false;

  const begin = (): void => {
    isBetween = false;
    const answer = { usage: early, readCharacters: waitingCharacters, writtenCharacters: 0, calls: 0, isFresh };
    const place = count++ >> shift;
    if (place < answers.length) answers[place] = merged(answers[place]!, answer);
    else answers.push(answer);
    if (answers.length > MAX_PLACES) {
      answers = Array.from({ length: Math.ceil(answers.length / 2) }, (_, at) =>
        merged(answers[2 * at]!, answers[2 * at + 1]),
      );
      shift++;
    }
    early = undefined;
    waitingCharacters = 0;
    isFresh = false;
  };

  const write = (characters: number): LedgerAnswer => {
    if (answers.length === 0 || (isBetween && !hasRounds)) begin();
    const answer = answers[answers.length - 1]!;
    answer.writtenCharacters += characters;
    return answer;
  };

  return {
    places: () => answers,
    placeOf: (answer) => answer >> shift,
    current: () => count - 1,
    hasUsage: () => hasUsage,
    isWhole: () => shift === 0,
    note(event) {
      switch (event.type) {
        case "round":
          hasRounds = true;
          begin();
          return;
        case "call":
          write(lengthOf(event.args)).calls++;
          return;
        case "text":
        case "reasoning":
          write(lengthOf(event.text));
          return;
        case "result":
          isBetween = true;
          waitingCharacters += typeof event.length === "number" ? event.length : lengthOf(event.output);
          return;
        case "user":
          isBetween = true;
          waitingCharacters += lengthOf(event.text);
          return;
        case "compaction":
          isFresh = true;
          return;
        default:
      }
    },
    addUsage(told) {
      const usage = cleanUsage(told);
      hasUsage ||= saysSomething(usage);
      const latest = answers.at(-1);
      if (latest === undefined) early = early === undefined ? usage : added(early, usage);
      else latest.usage = latest.usage === undefined ? usage : added(latest.usage, usage);
    },
  };
}

function saysSomething(usage: TranscriptUsage): boolean {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0, costUsd } = usage;
  return inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens > 0 || costUsd !== undefined;
}

function merged(one: LedgerAnswer, other: LedgerAnswer | undefined): LedgerAnswer {
  if (other === undefined) return one;
  return {
    usage:
      one.usage === undefined || other.usage === undefined ? (one.usage ?? other.usage) : added(one.usage, other.usage),
    readCharacters: one.readCharacters + other.readCharacters,
    writtenCharacters: one.writtenCharacters + other.writtenCharacters,
    calls: one.calls + other.calls,
    isFresh: one.isFresh || other.isFresh,
  };
}

function added(one: TranscriptUsage, other: TranscriptUsage): TranscriptUsage {
  const costs = [one.costUsd, other.costUsd].filter((cost) => cost !== undefined);
  return {
    model: other.model ?? one.model,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cacheReadTokens: (one.cacheReadTokens ?? 0) + (other.cacheReadTokens ?? 0),
    cacheWriteTokens: (one.cacheWriteTokens ?? 0) + (other.cacheWriteTokens ?? 0),
    cacheWriteLongTokens: (one.cacheWriteLongTokens ?? 0) + (other.cacheWriteLongTokens ?? 0),
    ...(costs.length > 0 ? { costUsd: costs.reduce((sum, cost) => sum + cost, 0) } : {}),
  };
}

const MAX_FIELDS = 64;

/** Approximate length of a value as text. Only looks at the first level. */
function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return value === undefined ? 0 : 8;
  let length = 2;
  let fields = 0;
  for (const key in value) {
    if (++fields > MAX_FIELDS) break;
    const field = (value as Record<string, unknown>)[key];
    length += key.length + 4 + (typeof field === "string" ? field.length : 16);
  }
  return length;
}

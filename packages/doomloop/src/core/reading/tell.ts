import { pushLatest } from "../collections/bounded.ts";
import { hashOf, idOf } from "../hash.ts";
import type { ResultEvent } from "../event.ts";
import { HINTS, type Hints } from "../hints/index.ts";
import type { Platform } from "../identity/read-object.ts";
import { isMarked, mark } from "./marks.ts";
import { type Effect, type Failure, isAct, isOwn, type Outcome } from "../step.ts";
import { names } from "./named-words.ts";
import { type ResultReading, readResult } from "./result.ts";
import type { OpenCall, RunMemory } from "./run-memory.ts";
import { readWords, type Skim, skim, type Words } from "./text.ts";

const MOST_LATEST = 64;
/** The words of texts up to this length are all read; of longer ones, those at their ends. */
const SHORT_TEXT = 1_536;
const HEAD = 1_024;
const TAIL = 512;
/** Answers of acts up to this length hold ids that they have made; those of what says or writes only confirm it. */
const ANSWER_OF_ACT = 400;
const ANSWER_OF_WRITE = 200;

/** What a result says, before it is known whether it is a "no". */
export interface Told {
  readonly result: number;
  readonly form: number;
  readonly outcome: Outcome;
  readonly isDone: boolean;
  readonly failure: Failure | undefined;
  readonly pieces: readonly number[];
  /** It is the result that its call got before, to the letter. */
  readonly isAgain: boolean;
}

/** Reads a result. If it is the one that its call got before, nothing is read anew. */
export function tellOf(
  run: RunMemory,
  { call, said: asked, named, isCommand, isPoll }: OpenCall,
  read: ResultReading,
  hints: Hints,
): Told {
  const said = [...asked, named];
  const { text, error, rest, isComparable } = read;
  if (!isComparable)
    return {
      result: idOf(call.index, 9),
      form: idOf(call.index, 9),
      outcome: error ? "failed" : "content",
      isDone: false,
      failure: undefined,
      pieces: [],
      isAgain: false,
    };
  const [head, tail] = endsOf(text);
  const skimmed = skim(text, said, head, tail);
  const exact = rest === 0 ? skimmed.exact : idOf(skimmed.exact, rest);
  const key = error === undefined ? call.call : idOf(call.call, error ? 1 : 2);
  const before = run.latest.findLast((each) => each.call === key);
  if (before?.exact === exact) return { ...before, pieces: skimmed.pieces, isAgain: true };
  const words = wordsOf(text, said);
  const told = {
    ...withTool(
      asPolled(outcomeOf(call.effect, read, words, hints), isPoll),
      () => !isMarked(run.met, workedMark(call.tool)) && names(text, named),
    ),
    ...identityOf(isCommand ? "look" : call.effect, read, words, skimmed),
  };
  pushLatest(run.latest, { call: key, exact, ...told }, MOST_LATEST);
  return { ...told, pieces: skimmed.pieces, isAgain: false };
}

/** What the host calls polling is not over because of a word. */
function asPolled<Read extends Pick<Told, "outcome">>(read: Read, isPoll: boolean): Read {
  return isPoll && read.outcome === "over" ? { ...read, outcome: "content" } : read;
}

/** A failure that names its tool, if that has never worked, may be told by whoever runs the tools. */
function withTool<Read extends Pick<Told, "failure">>(read: Read, isOfTool: () => boolean): Read {
  return read.failure === undefined ? read : { ...read, failure: { ...read.failure, isOfTool: isOfTool() } };
}

/** The identity of a result: without what changes by itself, and by what kind of call it comes from. */
function identityOf(
  effect: Effect,
  { text, length, rest }: ResultReading,
  words: Words,
  { plain, form }: Skim,
): Pick<Told, "result" | "form"> {
  if (text.length > SHORT_TEXT) return { result: idOf(words.masked, plain, rest), form };
  const isConfirmed = (effect === "say" || effect === "write") && length <= ANSWER_OF_WRITE;
  const value = isConfirmed ? form : effect === "act" && length <= ANSWER_OF_ACT ? words.ids : words.masked;
  return { result: idOf(value, rest), form };
}

/** Whether a result of a call like this tells of a failure. */
export function isFailure(effect: Effect, event: ResultEvent, platform: Platform): boolean {
  const read = readResult(event, HINTS, platform);
  return outcomeOf(effect, read, wordsOf(read.text, []), HINTS).outcome === "failed";
}

/** Of a long text, the words of its two ends. */
function wordsOf(text: string, said: readonly number[]): Words {
  const [head, tail] = endsOf(text);
  return readWords(tail === 0 ? text : `${text.slice(0, head)}\n${text.slice(tail)}`, said);
}

/** Where the beginning of a long text ends, and where its end begins: at whole lines, if they are short. */
function endsOf(text: string): readonly [head: number, tail: number] {
  if (text.length <= SHORT_TEXT) return [0, 0];
  const head = text.lastIndexOf("\n", HEAD);
  const tail = text.indexOf("\n", text.length - TAIL);
  return [head < HEAD / 2 ? HEAD : head, tail < 0 || tail > text.length - TAIL / 2 ? text.length - TAIL : tail];
}

function outcomeOf(
  effect: Effect,
  { text, length, error }: ResultReading,
  words: Words,
  hints: Hints,
): Pick<Told, "outcome" | "failure" | "isDone"> {
  const trimmed = text.trim();
  const hint = hints.result(words, length, effect, trimmed.includes("\n"));
  const { exitCode } = words;
  const isVouched = error === false && (effect === "look" || effect === "watch" || effect === "say");
  const isFailure =
    error === true || (exitCode !== undefined && exitCode !== 0) || (exitCode !== 0 && !isVouched && hint.isFailure);
  const isEmpty = trimmed.length < 2 || trimmed === "[]" || trimmed === "{}" || trimmed === "null";
  if (isEmpty && error !== true) return { outcome: "empty", isDone: true, failure: undefined };
  if (isFailure) {
    const isTransient = hint.isTransient && !isOwn({ effect });
    return {
      outcome: "failed",
      isDone: false,
      failure: {
        kind: words.kind,
        line: words.line,
        isTransient,
        isFinal: hint.isFinal,
        isOfTool: false,
        isTold: error === true || (exitCode !== undefined && exitCode !== 0),
      },
    };
  }
  const { isDone } = hint;
  if (hint.isOver && !isAct({ effect }) && effect !== "say") return { outcome: "over", isDone, failure: undefined };
  return { outcome: hint.isPending ? "pending" : "content", isDone, failure: undefined };
}

/** Remembers that a tool has worked. */
export function noteWorked(run: RunMemory, tool: string, outcome: Outcome): void {
  if (outcome !== "failed") mark(run.met, workedMark(tool));
}

function workedMark(tool: string): number {
  return (hashOf(tool) ^ 6) | 0;
}

import type { ResultEvent } from "../event.ts";
import { MESSAGE_PREFIX } from "../message-prefix.ts";
import { byteWriter, digestOfText } from "./byte-writer.ts";
import { type Platform, writeCanonical } from "./canonical.ts";
import type { Digest } from "./digest.ts";
import { type Failure, readFailure } from "./failure.ts";
import { outputText, saysIsError } from "./output-text.ts";

/** What a call came back with, as far as it is compared. */
export interface Outcome {
  /** Exact identity of the output; undefined for one that cannot be compared and equals nothing. */
  readonly digest: Digest | undefined;
  /** The output's words: the output itself if it is text. */
  readonly text: string;
  /** Length of the whole output. */
  readonly length: number;
  readonly failure: Failure | undefined;
  /** A stand-in, not the tool's answer. */
  readonly isSynthetic: boolean;
  /** When it came, where the host says. */
  readonly at: number | undefined;
}

/** Longer outputs are not compared, so that reading one takes a bounded time: some ten milliseconds. */
const MAX_COMPARED = 8_388_608;
const OUR_WORDS = `\n\n${MESSAGE_PREFIX} `;
const MAX_MESSAGE = 2048;

/** Reads a result. `comparedCharacters` limits equality to the beginning of the output. */
export function readOutcome(event: ResultEvent, platform: Platform, comparedCharacters: number | undefined): Outcome {
  const isText = typeof event.output === "string";
  const value = isText ? undefined : valueDigest(event.output, platform);
  const isOpaque = !isText && value === undefined;
  const text = isOpaque ? "" : withoutOurWords(outputText(event.output, platform));
  const told = typeof event.error === "boolean" ? event.error : undefined;
  const isError = told ?? (saysIsError(event.output, platform) ? true : undefined);
  return {
    digest: isOpaque ? undefined : outcomeDigest(event, text, value, comparedCharacters),
    text,
    length: lengthOf(event.length) ?? text.length,
    failure: event.synthetic === true ? undefined : readFailure(text, isError),
    isSynthetic: event.synthetic === true,
    at: timeOf(event.at),
  };
}

/** Harnesses wrap outputs in tags and exit codes: `<returncode>0</returncode>` around nothing is nothing. */
const ONLY_WRAPPING = /^(?:<[^<>\s]{1,30}>|[-\d\s]){1,120}$/;
const ONLY_EXIT_CODE =
  /^[\s[(]{0,4}(?:process )?exit(?:ed)?(?: with)?(?: code| status)?:? {0,2}-?\d{1,3}[\s\])]{0,4}$/i;

/** Less than two visible characters, apart from what a harness wraps them in. */
export function isEmptyOutcome(outcome: Outcome): boolean {
  const { text, length } = outcome;
  if (length < 2 || (text.length < 200 && text.trim().length < 2)) return true;
  if (text.length >= 120) return false;
  return text.startsWith("<") ? ONLY_WRAPPING.test(text) : ONLY_EXIT_CODE.test(text);
}

const NOTHING =
  /^(?:\[\]|\{\}|null|none|nil|undefined|0|""|''|\(?0 [a-z]{2,20}\)?|no (?:results?|matches|matching|files?|rows|entries|records|data)\b.{0,80})[.!]?$/i;

/** Whether an outcome says that there is nothing to say. */
export function isNothing(outcome: Outcome): boolean {
  return isEmptyOutcome(outcome) || (outcome.text.length < 120 && NOTHING.test(outcome.text.trim()));
}

/** Whether an outcome says enough that its return means something: a failure, or more than a few words. */
export function isTelling(outcome: Outcome): boolean {
  return outcome.failure !== undefined || outcome.length >= 200;
}

/** A host that hands us its conversation again hands us our own nudges too, behind the results they came with. */
function withoutOurWords(text: string): string {
  // Every message of ours ends with a full stop.
  if (!text.endsWith(".")) return text;
  const at = text.indexOf(OUR_WORDS, Math.max(0, text.length - MAX_MESSAGE));
  return at < 0 ? text : text.slice(0, at);
}

function outcomeDigest(
  event: ResultEvent,
  text: string,
  value: Digest | undefined,
  comparedCharacters: number | undefined,
): Digest | undefined {
  if (comparedCharacters !== undefined) return digestOfText(text.slice(0, comparedCharacters));
  if (typeof event.digest === "string" && event.digest.length <= 1024) {
    byteWriter.begin();
    byteWriter.text("digest");
    byteWriter.text(event.digest);
    return byteWriter.digest();
  }
  if (typeof event.output === "string") return text.length <= MAX_COMPARED ? digestOfText(text) : undefined;
  return value;
}

function valueDigest(value: unknown, platform: Platform): Digest | undefined {
  byteWriter.begin();
  return writeCanonical(value, platform) ? byteWriter.digest() : undefined;
}

const MAX_LENGTH = 1_000_000_000_000;

/** A time on the host's clock, if it is one. */
export function timeOf(value: unknown): number | undefined {
  return typeof value === "number" && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? Math.round(value) : undefined;
}

function lengthOf(length: unknown): number | undefined {
  return typeof length === "number" && length >= 0 ? Math.round(Math.min(length, MAX_LENGTH)) : undefined;
}

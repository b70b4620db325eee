import type { ResultEvent } from "../event.ts";
import { canonicalOf } from "../identity/canonical.ts";
import { type Digest, digestOf, digestOfAll } from "../identity/digest.ts";
import type { Platform } from "../identity/platform.ts";
import { outputText, saysIsError } from "./output-text.ts";
import { type Failure, readFailure } from "./read-failure.ts";
import { withoutOurWords } from "./without-our-words.ts";

/** What a call came back with, as far as it is compared. */
export interface Outcome {
  /** Exact identity of the output; undefined for one that cannot be compared and equals nothing. */
  readonly digest: Digest | undefined;
  /** The output's words: the output itself if it is text. */
  readonly text: string;
  /** Length of the whole output. */
  readonly length: number;
  readonly failure: Failure | undefined;
  /** Less than two visible characters, apart from what a harness wraps them in. */
  readonly isEmpty: boolean;
  /** It says that there is nothing to say: empty, an empty list, no matches. */
  readonly isNothing: boolean;
  /** It says enough that its return means something: a failure, or more than a few words. */
  readonly isTelling: boolean;
  /** A stand-in, not the tool's answer. */
  readonly isSynthetic: boolean;
  /** When it came, where the host says. */
  readonly at: number | undefined;
}

/** Longer outputs are not compared, so that reading one takes a bounded time: some ten milliseconds. */
const MAX_COMPARED = 8_388_608;
const TELLING = 200;
const CURT = 120;

/** Reads a result. `comparedCharacters` limits equality to the beginning of the output. */
export function readOutcome(event: ResultEvent, platform: Platform, comparedCharacters: number | undefined): Outcome {
  const output = withoutOurWords(event.output, platform);
  const isText = typeof output === "string";
  const value = isText ? undefined : valueDigest(output, platform);
  const isOpaque = !isText && value === undefined;
  const text = isOpaque ? "" : outputText(output, platform);
  const told = typeof event.error === "boolean" ? event.error : undefined;
  const isError = told ?? (saysIsError(event.output, platform) ? true : undefined);
  const length = lengthOf(event.length) ?? text.length;
  const failure = event.synthetic === true ? undefined : readFailure(text, isError);
  const isEmpty = length < 2 || (text.length < TELLING && saysNoWord(text));
  return {
    digest: isOpaque ? undefined : outcomeDigest(event, text, value, comparedCharacters),
    text,
    length,
    failure,
    isEmpty,
    isNothing: isEmpty || (text.length < CURT && NOTHING.test(text.trim())),
    isTelling: failure !== undefined || length >= TELLING,
    isSynthetic: event.synthetic === true,
    at: timeOf(event.at),
  };
}

/** Harnesses wrap outputs in tags and exit codes: `<returncode>0</returncode>` around nothing is nothing. */
const ONLY_WRAPPING = /^(?:<[^<>\s]{1,30}>|[-\d\s]){1,120}$/;
const ONLY_EXIT_CODE =
  /^[\s[(]{0,4}(?:process )?exit(?:ed)?(?: with)?(?: code| status)?:? {0,2}-?\d{1,3}[\s\])]{0,4}$/i;

const NOTHING =
  /^(?:\[\]|\{\}|null|none|nil|undefined|0|""|''|\(?0 [a-z]{2,20}\)?|no (?:results?|matches|matching|files?|rows|entries|records|data)\b.{0,80}|no [\w ]{1,40}(?:found|available))[.!]?$/i;

function saysNoWord(text: string): boolean {
  if (text.trim().length < 2) return true;
  return text.length < CURT && (text.startsWith("<") ? ONLY_WRAPPING : ONLY_EXIT_CODE).test(text);
}

function outcomeDigest(
  event: ResultEvent,
  text: string,
  value: Digest | undefined,
  comparedCharacters: number | undefined,
): Digest | undefined {
  if (comparedCharacters !== undefined) return digestOf(text.slice(0, comparedCharacters));
  if (typeof event.digest === "string" && event.digest.length <= 1024) return digestOfAll("digest", event.digest);
  if (value !== undefined) return value;
  return text.length <= MAX_COMPARED ? digestOf(text) : undefined;
}

function valueDigest(value: unknown, platform: Platform): Digest | undefined {
  const written = canonicalOf(value, platform);
  return written === undefined ? undefined : digestOf(written.text);
}

const MAX_LENGTH = 1_000_000_000_000;

/** A time on the host's clock, if it is one. */
export function timeOf(value: unknown): number | undefined {
  return typeof value === "number" && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? Math.round(value) : undefined;
}

function lengthOf(length: unknown): number | undefined {
  return typeof length === "number" && length >= 0 ? Math.round(Math.min(length, MAX_LENGTH)) : undefined;
}

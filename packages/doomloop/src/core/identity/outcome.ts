import type { ResultEvent } from "../event.ts";
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
}

/** Longer outputs are not compared, so that reading one takes a bounded time: some ten milliseconds. */
const MAX_COMPARED = 8_388_608;

/** Reads a result. `comparedCharacters` limits equality to the beginning of the output. */
export function readOutcome(event: ResultEvent, platform: Platform, comparedCharacters: number | undefined): Outcome {
  const text = outputText(event.output, platform);
  const isError = event.error ?? (saysIsError(event.output, platform) ? true : undefined);
  return {
    digest: outcomeDigest(event, text, platform, comparedCharacters),
    text,
    length: typeof event.length === "number" && event.length >= 0 ? event.length : text.length,
    failure: event.synthetic === true ? undefined : readFailure(text, isError),
    isSynthetic: event.synthetic === true,
  };
}

/** Less than two visible characters. */
export function isEmptyOutcome(outcome: Outcome): boolean {
  return outcome.length < 2 || (outcome.text.length < 200 && outcome.text.trim().length < 2);
}

/** Whether an outcome says enough that its return means something: a failure, or more than a few words. */
export function isTelling(outcome: Outcome): boolean {
  return outcome.failure !== undefined || outcome.length >= 200;
}

function outcomeDigest(
  event: ResultEvent,
  text: string,
  platform: Platform,
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
  byteWriter.begin();
  return writeCanonical(event.output, platform) ? byteWriter.digest() : undefined;
}

import { estimateTokenCount } from "tokenx";

/** Estimates the number of tokens for each character, which depends on the language and the kind of text. */
export interface TokenSampler {
  /** Adds a piece of text to the sample, until the sample is full. */
  show(text: unknown): void;
  tokensPerCharacter(): number;
}

/** Without a sample, assume four characters for each token. */
const DEFAULT_RATIO = 0.25;
const MAX_SAMPLE = 4_096;
const MAX_PIECE = 512;

/** Creates a sampler. Estimating is slow, so it only uses a few kilobytes of text. */
export function createTokenSampler(): TokenSampler {
  let sample = "";
  let measured = 0;
  let ratio = DEFAULT_RATIO;
  return {
    show(text) {
      if (sample.length >= MAX_SAMPLE || typeof text !== "string") return;
      sample += text.slice(0, MAX_PIECE);
    },
    tokensPerCharacter() {
      if (sample.length > measured) {
        measured = sample.length;
        ratio = estimateTokenCount(sample) / sample.length;
      }
      return ratio;
    },
  };
}

import { estimateTokenCount } from "tokenx";

/** Tells how many tokens a text has by its length: what a token is differs with the language and the kind of text. */
export interface TokenSampler {
  /** Shows a piece of text, until enough was seen. */
  show(text: unknown): void;
  /** Tokens for each character. */
  tokensPerCharacter(): number;
}

/** Where nothing was shown: four characters are a token. */
const DEFAULT_RATIO = 0.25;
const MAX_SAMPLE = 4_096;
const MAX_PIECE = 512;

/** Creates a sampler. Estimating is slow, so a few kilobytes stand for all. */
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

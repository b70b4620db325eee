import type { Range } from "./amount-sums.ts";
import type { LedgerAnswer } from "./answer-ledger.ts";
import type { ModelRates } from "./price-list.ts";

/** What one answer took; without a cost where none is known. */
export interface Spent {
  readonly tokens: Range;
  readonly costUsd: Range | undefined;
  /**
   * The agent itself says what it cost.
   * @default false
   */
  readonly isOwnCost?: boolean;
}

/** How far an estimate may be off: it does not see what hosts add, and tokenizers differ. */
const LOW = 0.9;
const HIGH = 1.3;
/** Of models whose window is not known. */
const USUAL_CONTEXT_TOKENS = 200_000;

/**
 * Creates an estimate of what answers take, told in their order.
 *
 * Each reads the whole conversation again, as much as the model takes: cheaply if the host caches it, at the full price if not.
 */
export function createEstimate(
  tokensPerCharacter: number,
  rates: ModelRates | undefined,
): (answer: LedgerAnswer) => Spent {
  const window = rates?.contextTokens ?? USUAL_CONTEXT_TOKENS;
  let context = 0;
  return ({ readCharacters, writtenCharacters, isFresh }) => {
    if (isFresh) context = 0;
    const old = Math.min(context, window);
    const fresh = Math.min(readCharacters * tokensPerCharacter, window - old);
    const outputTokens = writtenCharacters * tokensPerCharacter;
    context = old + fresh + outputTokens;
    const cached = { inputTokens: fresh, cacheReadTokens: old, cacheWriteTokens: 0, outputTokens };
    const uncached = { inputTokens: old + fresh, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens };
    return {
      tokens: { low: context * LOW, high: context * HIGH },
      costUsd: rates && { low: rates.priceOf(cached) * LOW, high: rates.priceOf(uncached) * HIGH },
    };
  };
}

import type { TranscriptUsage } from "../../../transcripts/reader.ts";
import type { Amount } from "../report.ts";
import type { AnswerLedger, LedgerAnswer } from "./answer-ledger.ts";
import type { ModelRates, PriceList, RequestTokens } from "./price-list.ts";

/** What a run spent, and what any stretch of it did. */
export interface Spending {
  /** Tokens of the answers after `from` up to and including `to`. Null: nothing is known of them. */
  tokens(from: number, to: number): Amount | null;
  /** Null where no model has a price. */
  costUsd(from: number, to: number): Amount | null;
}

export interface SpendingOptions {
  /** The run's model, for answers that name none. */
  readonly model: string | undefined;
  /** When the run began: prices change. */
  readonly at: number | undefined;
  /** Undefined: nothing is priced. */
  readonly prices: PriceList | undefined;
  /** For runs without recorded usage. Undefined: nothing is estimated. */
  readonly tokensPerCharacter: number | undefined;
}

/** How far an estimate may be off: it does not see what hosts add, and tokenizers differ. */
const LOW = 0.9;
const HIGH = 1.3;
/** Few models take more. */
const MAX_CONTEXT_TOKENS = 200_000;

interface Column {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** Sums up what answers took: as recorded if any of it is, else estimated from the characters. */
export function createSpending(ledger: AnswerLedger, options: SpendingOptions): Spending {
  const answers = ledger.places();
  const hasUsage = ledger.hasUsage();
  const tokens = column(answers.length);
  const costs = column(answers.length);
  const isEstimated = !hasUsage;
  const isKnown = hasUsage || options.tokensPerCharacter !== undefined;
  let hasPrice = false;
  const put = (into: Column, at: number, low: number, high: number): void => {
    into.low[at + 1] = into.low[at]! + low;
    into.high[at + 1] = into.high[at]! + high;
  };
  const estimate = createEstimate(options);

  answers.forEach((answer, at) => {
    const spent = hasUsage ? recorded(answer.usage, options) : estimate(answer);
    put(tokens, at, spent.tokensLow, spent.tokensHigh);
    put(costs, at, spent.costLow ?? 0, spent.costHigh ?? 0);
    if (spent.costLow !== undefined) hasPrice = true;
  });

  const between = (from: Column, after: number, to: number, digits: number): Amount => {
    const start = clamp(ledger.placeOf(after) + 1, answers.length);
    const end = Math.max(start, clamp(ledger.placeOf(to) + 1, answers.length));
    const rounded = (sums: Float64Array): number => Number((sums[end]! - sums[start]!).toFixed(digits));
    return { low: rounded(from.low), high: rounded(from.high), isEstimated };
  };

  return {
    tokens: (from, to) => (isKnown ? between(tokens, from, to, 0) : null),
    costUsd: (from, to) => (isKnown && hasPrice ? between(costs, from, to, 6) : null),
  };
}

interface Spent {
  readonly tokensLow: number;
  readonly tokensHigh: number;
  readonly costLow: number | undefined;
  readonly costHigh: number | undefined;
}

const NOTHING: Spent = { tokensLow: 0, tokensHigh: 0, costLow: undefined, costHigh: undefined };

function recorded(usage: TranscriptUsage | undefined, options: SpendingOptions): Spent {
  if (usage === undefined) return NOTHING;
  const request: RequestTokens = {
    inputTokens: amount(usage.inputTokens),
    outputTokens: amount(usage.outputTokens),
    cacheReadTokens: amount(usage.cacheReadTokens),
    cacheWriteTokens: amount(usage.cacheWriteTokens),
  };
  const tokens = request.inputTokens + request.outputTokens + request.cacheReadTokens + request.cacheWriteTokens;
  const cost = options.prices === undefined ? undefined : costOf(usage, request, options);
  return { tokensLow: tokens, tokensHigh: tokens, costLow: cost, costHigh: cost };
}

function costOf(usage: TranscriptUsage, request: RequestTokens, options: SpendingOptions): number | undefined {
  // Some agents write 0 where they do not know.
  if (typeof usage.costUsd === "number" && usage.costUsd > 0) return usage.costUsd;
  return ratesOf(usage.model ?? options.model, options)?.priceOf(request);
}

function ratesOf(model: string | undefined, { prices, at }: SpendingOptions): ModelRates | undefined {
  return model === undefined ? undefined : prices?.ratesOf(model, at);
}

/** Each answer reads the whole conversation again: cheaply if the host caches it, at the full price if not. */
function createEstimate(options: SpendingOptions): (answer: LedgerAnswer) => Spent {
  const { tokensPerCharacter: ratio = 0 } = options;
  const rates = ratesOf(options.model, options);
  let context = 0;
  return ({ readCharacters, writtenCharacters, isFresh }) => {
    if (isFresh) context = 0;
    const old = Math.min(context, MAX_CONTEXT_TOKENS);
    const fresh = Math.min(readCharacters * ratio, MAX_CONTEXT_TOKENS - old);
    const outputTokens = writtenCharacters * ratio;
    context = old + fresh + outputTokens;
    const tokens = old + fresh + outputTokens;
    const cached = { inputTokens: fresh, cacheReadTokens: old, cacheWriteTokens: 0, outputTokens };
    const uncached = { inputTokens: old + fresh, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens };
    return {
      tokensLow: tokens * LOW,
      tokensHigh: tokens * HIGH,
      costLow: rates && rates.priceOf(cached) * LOW,
      costHigh: rates && rates.priceOf(uncached) * HIGH,
    };
  };
}

function column(length: number): Column {
  return { low: new Float64Array(length + 1), high: new Float64Array(length + 1) };
}

function clamp(value: number, limit: number): number {
  return Math.max(0, Math.min(value, limit));
}

/** A foreign number: what is none counts as nothing. */
function amount(value: unknown): number {
  return typeof value === "number" && value > 0 && Number.isFinite(value) ? value : 0;
}

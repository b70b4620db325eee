import type { TranscriptUsage } from "../../../transcripts/reader.ts";
import type { Amount } from "../report.ts";
import type { AnswerRecord } from "../run-record.ts";
import { type AmountSums, createAmountSums } from "./amount-sums.ts";
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

const TOKEN_DIGITS = 0;
const COST_DIGITS = 6;

/** Sums up what answers took: as recorded if any of it is, else estimated from the characters. */
export function createSpending(ledger: AnswerLedger, options: SpendingOptions): Spending {
  const answers = ledger.places();
  const hasUsage = ledger.hasUsage();
  const tokens = createAmountSums(answers.length);
  const costs = createAmountSums(answers.length);
  const isKnown = hasUsage || options.tokensPerCharacter !== undefined;
  const estimate = createEstimate(options);
  const ratesFor = latestRates(options);
  let hasPrice = false;

  for (const answer of answers) {
    const spent = hasUsage ? recorded(answer.usage, options, ratesFor) : estimate(answer);
    tokens.add(spent.tokensLow, spent.tokensHigh);
    costs.add(spent.costLow ?? 0, spent.costHigh ?? 0);
    if (spent.costLow !== undefined) hasPrice = true;
  }

  const between = (sums: AmountSums, from: number, to: number, digits: number): Amount =>
    rounded(sums.between(ledger.placeOf(from), ledger.placeOf(to)), digits, !hasUsage);
  return {
    tokens: (from, to) => (isKnown ? between(tokens, from, to, TOKEN_DIGITS) : null),
    costUsd: (from, to) => (isKnown && hasPrice ? between(costs, from, to, COST_DIGITS) : null),
  };
}

/** What the answers of a record took, each as it is recorded; those that do not count took nothing. */
export function recordedSpending(
  { tokens, costUsd }: Pick<AnswerRecord, "tokens" | "costUsd">,
  counts: (answer: number) => boolean,
): Spending {
  const sumsOf = (amounts: readonly number[]): AmountSums => {
    const sums = createAmountSums(amounts.length);
    amounts.forEach((amount, at) => {
      const counted = counts(at) ? amount : 0;
      sums.add(counted, counted);
    });
    return sums;
  };
  const [tokenSums, costSums] = [sumsOf(tokens), costUsd === null ? null : sumsOf(costUsd)];
  return {
    tokens: (from, to) => rounded(tokenSums.between(from, to), TOKEN_DIGITS, false),
    costUsd: (from, to) => (costSums === null ? null : rounded(costSums.between(from, to), COST_DIGITS, false)),
  };
}

function rounded({ low, high }: { low: number; high: number }, digits: number, isEstimated: boolean): Amount {
  return { low: Number(low.toFixed(digits)), high: Number(high.toFixed(digits)), isEstimated };
}

interface Spent {
  readonly tokensLow: number;
  readonly tokensHigh: number;
  readonly costLow: number | undefined;
  readonly costHigh: number | undefined;
}

const NOTHING: Spent = { tokensLow: 0, tokensHigh: 0, costLow: undefined, costHigh: undefined };

type RatesOf = (model: string | undefined) => ModelRates | undefined;

/** Looks a model up once for all its answers in a row. */
function latestRates(options: SpendingOptions): RatesOf {
  let latest: string | undefined;
  let rates: ModelRates | undefined;
  return (model) => {
    if (model !== latest) {
      latest = model;
      rates = ratesOf(model, options);
    }
    return rates;
  };
}

function recorded(usage: TranscriptUsage | undefined, options: SpendingOptions, ratesFor: RatesOf): Spent {
  if (usage === undefined) return NOTHING;
  const request: RequestTokens = {
    inputTokens: amount(usage.inputTokens),
    outputTokens: amount(usage.outputTokens),
    cacheReadTokens: amount(usage.cacheReadTokens),
    cacheWriteTokens: amount(usage.cacheWriteTokens),
  };
  const tokens = request.inputTokens + request.outputTokens + request.cacheReadTokens + request.cacheWriteTokens;
  const cost =
    options.prices === undefined ? undefined : costOf(usage, request, ratesFor(usage.model ?? options.model));
  return { tokensLow: tokens, tokensHigh: tokens, costLow: cost, costHigh: cost };
}

function costOf(usage: TranscriptUsage, request: RequestTokens, rates: ModelRates | undefined): number | undefined {
  // Some agents write 0 where they do not know.
  if (typeof usage.costUsd === "number" && usage.costUsd > 0) return usage.costUsd;
  return rates?.priceOf(request);
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

/** A foreign number: what is none counts as nothing. */
function amount(value: unknown): number {
  return typeof value === "number" && value > 0 && Number.isFinite(value) ? value : 0;
}

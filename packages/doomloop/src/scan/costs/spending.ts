import { digestOf, digestToHex } from "../../core/identity/digest.ts";
import type { SessionFacts, TranscriptUsage } from "../../transcripts/reader.ts";
import type { Amount, CostFrom } from "../report/report.ts";
import type { AnswerRecord } from "../run-record.ts";
import type { AnswerLedger, LedgerAnswer } from "./answer-ledger.ts";
import type { ModelRates, PriceList } from "./model-rates.ts";
import { type AmountSums, cleanCost, cleanTokens, createAmountSums, type Range } from "./usage.ts";

/** What a run spent, as a whole and in any part. */
export interface Spending {
  /** Tokens of the answers after `from`, up to and including `to`. Null if unknown. */
  tokens(from: number, to: number): Amount | null;
  /** Null if no model has a price and the agent recorded no cost. */
  costUsd(from: number, to: number): Amount | null;
  /** The whole run. */
  readonly whole: {
    readonly tokens: Amount | null;
    readonly costUsd: Amount | null;
    readonly costFrom: CostFrom | null;
  };
}

export interface SpendingOptions {
  /** The run's model, for answers without one. */
  readonly model: string | undefined;
  /** When the run began, because prices change. */
  readonly at: number | undefined;
  /** If undefined, no costs are calculated. */
  readonly prices: PriceList | undefined;
  /** For runs without recorded usage. If undefined, nothing is estimated. */
  readonly tokensPerCharacter: number | undefined;
  /**
   * The total for the run that the agent recorded.
   * @default none
   */
  readonly total?: SessionFacts["total"];
}

/** Money is counted in billionths of a dollar, because almost every token price is a whole number of them. */
const UNITS_IN_DOLLAR = 1e9;
/** Precise enough to divide a known total. */
const ROUGH_TOKENS_PER_CHARACTER = 0.25;
const NOTHING: Range = { low: 0, high: 0 };

/** Sums over the answers of a run, and the total that the agent recorded. */
interface Known {
  readonly sums: AmountSums;
  readonly total: number | undefined;
}

/**
 * Adds up what answers used: recorded values if there are any, else estimates from the number of characters.
 *
 * If the agent recorded a total for the run, it is divided among the answers in proportion to what they used. If all
 * answers have their own cost, the rest of the total belongs to none of them.
 */
export function createSpending(ledger: AnswerLedger, options: SpendingOptions): Spending {
  const isRecorded = ledger.hasUsage();
  const spent = isRecorded ? recordedAnswers(ledger, options) : estimatedAnswers(ledger, options);
  const tokens = tokensOf(spent, isRecorded, options);
  const costs = costsOf(spent, tokens !== undefined, options);

  const between = (known: Known, from: number, to: number): Amount => ({
    ...known.sums.between(ledger.placeOf(from), ledger.placeOf(to)),
    isEstimated: !isRecorded,
  });
  const all = (known: Known): Amount =>
    known.total === undefined
      ? between(known, -1, ledger.current())
      : { low: known.total, high: known.total, isEstimated: false };
  const costFrom = (): CostFrom => {
    if (costs?.total !== undefined) return "recorded";
    if (!isRecorded) return "estimated";
    const paid = spent.filter(({ costUsd }) => costUsd !== undefined && costUsd.high > 0);
    return paid.length > 0 && paid.every(({ isOwnCost }) => isOwnCost === true) ? "recorded" : "priced";
  };
  return {
    tokens: (from, to) => (tokens === undefined ? null : between(tokens, from, to)),
    costUsd: (from, to) => (costs === undefined ? null : between(costs, from, to)),
    whole: {
      tokens: tokens === undefined ? null : all(tokens),
      costUsd: costs === undefined ? null : all(costs),
      costFrom: costs === undefined ? null : costFrom(),
    },
  };
}

function tokensOf(spent: readonly Spent[], isRecorded: boolean, options: SpendingOptions): Known | undefined {
  const amounts = spent.map(({ tokens }) => tokens);
  const total = isRecorded ? 0 : Math.round(cleanTokens(options.total?.tokens));
  if (total > 0) return { sums: sharesOf(total, amounts, 1), total };
  const isKnown = isRecorded || options.tokensPerCharacter !== undefined;
  return isKnown ? { sums: sumsOf(amounts, 1), total: undefined } : undefined;
}

function costsOf(spent: readonly Spent[], hasTokens: boolean, options: SpendingOptions): Known | undefined {
  if (options.prices === undefined) return undefined;
  const costs = spent.map(({ costUsd = NOTHING }) => costUsd);
  const total = cleanCost(options.total?.costUsd);
  const sum = costs.reduce((all, { high }) => all + high, 0);
  if (total !== undefined) {
    const isTold = sum <= total && spent.every(({ isOwnCost }) => isOwnCost === true);
    const weights = sum > 0 ? costs : spent.map(({ tokens }) => tokens);
    const sums = isTold ? sumsOf(costs, UNITS_IN_DOLLAR) : sharesOf(total, weights, UNITS_IN_DOLLAR);
    return { sums, total: Math.round(total * UNITS_IN_DOLLAR) / UNITS_IN_DOLLAR };
  }
  const isKnown = hasTokens && spent.some(({ costUsd }) => costUsd !== undefined);
  return isKnown ? { sums: sumsOf(costs, UNITS_IN_DOLLAR), total: undefined } : undefined;
}

function sumsOf(amounts: readonly Range[], unitsInOne: number): AmountSums {
  const sums = createAmountSums(amounts.length, unitsInOne);
  for (const { low, high } of amounts) sums.add(low, high);
  return sums;
}

/** Divides a total in proportion to the middle of each range. */
function sharesOf(total: number, amounts: readonly Range[], unitsInOne: number): AmountSums {
  const shares = shareOut(
    Math.round(total * unitsInOne),
    amounts.map(({ low, high }) => low + high),
  );
  return sumsOf(
    shares.map((share) => ({ low: share / unitsInOne, high: share / unitsInOne })),
    unitsInOne,
  );
}

/** Divides a whole number by weights into whole parts that add up to it. Equal parts if all weights are zero. */
export function shareOut(total: number, weights: readonly number[]): readonly number[] {
  const heap = weights.reduce((sum, weight) => sum + weight, 0);
  const sum = heap > 0 ? heap : weights.length;
  let before = 0;
  let given = 0;
  return weights.map((weight, at) => {
    before += heap > 0 ? weight : 1;
    const due = at === weights.length - 1 ? total : Math.min(total, Math.round(total * (before / sum)));
    const part = due - given;
    given = due;
    return part;
  });
}

/** What one answer used. The cost is undefined if unknown. */
interface Spent {
  readonly tokens: Range;
  readonly costUsd: Range | undefined;
  /**
   * The agent recorded the cost itself.
   * @default false
   */
  readonly isOwnCost?: boolean;
}

function recordedAnswers(ledger: AnswerLedger, options: SpendingOptions): readonly Spent[] {
  const ratesOf = createRateLookup(options);
  return ledger.places().map(({ usage }) => {
    if (usage === undefined) return { tokens: NOTHING, costUsd: undefined };
    const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0, cacheWriteLongTokens = 0 } = usage;
    const request = { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cacheWriteLongTokens };
    const tokens = inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
    const cost = usage.costUsd ?? ratesOf(usage.model ?? options.model)?.priceOf(request);
    return {
      tokens: { low: tokens, high: tokens },
      costUsd: cost === undefined ? undefined : { low: cost, high: cost },
      isOwnCost: usage.costUsd !== undefined,
    };
  });
}

function estimatedAnswers(ledger: AnswerLedger, options: SpendingOptions): readonly Spent[] {
  const { tokensPerCharacter = ROUGH_TOKENS_PER_CHARACTER, model } = options;
  return ledger.places().map(createEstimate(tokensPerCharacter, createRateLookup(options)(model)));
}

/** Caches the rates of the latest model, because consecutive answers mostly use the same one. */
function createRateLookup({ prices, at }: SpendingOptions): (model: string | undefined) => ModelRates | undefined {
  let latest: string | undefined;
  let rates: ModelRates | undefined;
  return (model) => {
    if (model === latest) return rates;
    latest = model;
    rates = model === undefined ? undefined : prices?.ratesOf(model, at);
    return rates;
  };
}

/** How far an estimate may be off: tokenizers differ, and transcripts do not show what hosts add. */
const LOW = 0.9;
const HIGH = 1.3;
/** The assumed context window of unknown models. */
const USUAL_CONTEXT_TOKENS = 200_000;

/**
 * Creates an estimator, to be called with the answers in order.
 *
 * Each answer reads the whole conversation again, up to the context window: cheaply if the host caches it, at the full
 * price if not.
 */
function createEstimate(tokensPerCharacter: number, rates: ModelRates | undefined): (answer: LedgerAnswer) => Spent {
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

/** The spending of recorded answers. Answers for which `counts` is false add nothing. */
export function recordedSpending(
  { tokens, costUsd }: Pick<AnswerRecord, "tokens" | "costUsd">,
  counts: (answer: number) => boolean,
): Pick<Spending, "tokens" | "costUsd"> {
  const counted = (amounts: readonly number[], unitsInOne: number): AmountSums =>
    sumsOf(
      amounts.map((amount, at) => (counts(at) ? { low: amount, high: amount } : NOTHING)),
      unitsInOne,
    );
  const [tokenSums, costSums] = [counted(tokens, 1), costUsd === null ? null : counted(costUsd, UNITS_IN_DOLLAR)];
  return {
    tokens: (from, to) => ({ ...tokenSums.between(from, to), isEstimated: false }),
    costUsd: (from, to) => (costSums === null ? null : { ...costSums.between(from, to), isEstimated: false }),
  };
}

/** Digits of a hash: few enough to fit exactly into a number. */
export const ID_DIGITS = 12;

const NO_ID = "0".repeat(ID_DIGITS);

/**
 * What each answer of a run used, with hashed ids. Null if no answer has an id, or if the run is so long that answers
 * are merged.
 */
export function answersOf(ledger: AnswerLedger, agent: string, spending: Spending): AnswerRecord | null {
  const places = ledger.places();
  if (!ledger.isWhole() || !places.some(({ usage }) => usage?.id !== undefined)) return null;
  const amounts = (measure: Spending["tokens"]): number[] => places.map((_, at) => measure(at - 1, at)!.high);
  return {
    ids: places.map(({ usage }) => hashOf(agent, usage)).join(""),
    calls: places.map(({ calls }) => calls),
    tokens: amounts(spending.tokens),
    costUsd: spending.costUsd(-1, -1) === null ? null : amounts(spending.costUsd),
  };
}

/** Some servers give every answer the same id. Only an answer with the same usage is a copy. */
function hashOf(agent: string, usage: TranscriptUsage | undefined): string {
  if (typeof usage?.id !== "string" || usage.id === "") return NO_ID;
  const { id, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const name = [agent, inputTokens, outputTokens, cacheReadTokens ?? 0, cacheWriteTokens ?? 0, id].join("\n");
  return digestToHex(digestOf(name)).slice(0, ID_DIGITS);
}

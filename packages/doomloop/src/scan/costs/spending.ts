import { hash } from "node:crypto";
import type { SessionFacts, TranscriptUsage } from "../../transcripts/reader.ts";
import type { Amount, CostFrom } from "../report/report.ts";
import type { AnswerRecord } from "../run-record.ts";
import type { AnswerLedger, LedgerAnswer } from "./answer-ledger.ts";
import type { ModelRates, PriceList } from "./price-list.ts";
import { type AmountSums, cleanCost, cleanTokens, createAmountSums, type Range } from "./usage.ts";

/** Digits of a hash: few enough for it to be an exact number. */
export const ID_DIGITS = 12;

const NO_ID = "0".repeat(ID_DIGITS);

/** How far an estimate may be off: it does not see what hosts add, and tokenizers differ. */
const LOW = 0.9;

const HIGH = 1.3;

/** Of models whose window is not known. */
const USUAL_CONTEXT_TOKENS = 200_000;

/** What a run spent, and what any stretch of it did. */
export interface Spending {
  /** Tokens of the answers after `from` up to and including `to`. Null: nothing is known of them. */
  tokens(from: number, to: number): Amount | null;
  /** Null where no model has a price, and the agent tells no cost. */
  costUsd(from: number, to: number): Amount | null;
  /** What the run spent in all. */
  readonly whole: {
    readonly tokens: Amount | null;
    readonly costUsd: Amount | null;
    readonly costFrom: CostFrom | null;
  };
}

export interface SpendingOptions {
  /** The run's model, for answers that name none. */
  readonly model: string | undefined;
  /** When the run began: prices change. */
  readonly at: number | undefined;
  /** Undefined: no money is told. */
  readonly prices: PriceList | undefined;
  /** For runs without recorded usage. Undefined: nothing is estimated. */
  readonly tokensPerCharacter: number | undefined;
  /**
   * What the agent says that the whole run took.
   * @default nothing
   */
  readonly total?: SessionFacts["total"];
}

/** Money is counted in billionths of a dollar: nearly every price of a token is a whole number of them. */
const UNITS_IN_DOLLAR = 1e9;
/** Good enough to share a total out by. */
const ROUGH_TOKENS_PER_CHARACTER = 0.25;
const NOTHING: Range = { low: 0, high: 0 };

/**
 * Sums up what answers took: as recorded if any of it is, else estimated from the characters.
 *
 * The agent's own word on the whole run comes first: its answers share that out, by what they took or would have taken. Where they
 * all say themselves what they cost, the rest of the total is nobody's.
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

/** What is known of a run, and the agent's own word on all of it. */
interface Known {
  readonly sums: AmountSums;
  readonly total: number | undefined;
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

/** What the answers of a record took, each as it is recorded; those that do not count took nothing. */
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

function sumsOf(amounts: readonly Range[], unitsInOne: number): AmountSums {
  const sums = createAmountSums(amounts.length, unitsInOne);
  for (const { low, high } of amounts) sums.add(low, high);
  return sums;
}

/** The sums of a total that is shared out by what amounts are, in the middle. */
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

function recordedAnswers(ledger: AnswerLedger, options: SpendingOptions): readonly Spent[] {
  const ratesOf = latestRates(options);
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
  return ledger.places().map(createEstimate(tokensPerCharacter, latestRates(options)(model)));
}

/** Looks a model up once for all its answers in a row. */
function latestRates({ prices, at }: SpendingOptions): (model: string | undefined) => ModelRates | undefined {
  let latest: string | undefined;
  let rates: ModelRates | undefined;
  return (model) => {
    if (model === latest) return rates;
    latest = model;
    rates = model === undefined ? undefined : prices?.ratesOf(model, at);
    return rates;
  };
}

/** Shares a whole number out by weights, in whole parts that add up to it; in equal parts where nothing weighs. */
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

/** What one answer took; without a cost where none is known. */
interface Spent {
  readonly tokens: Range;
  readonly costUsd: Range | undefined;
  /**
   * The agent itself says what it cost.
   * @default false
   */
  readonly isOwnCost?: boolean;
}

/**
 * Creates an estimate of what answers take, told in their order.
 *
 * Each reads the whole conversation again, as much as the model takes: cheaply if the host caches it, at the full price if not.
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

/** What each answer of a run took, by name. Null where none has a name, or the run is so long that answers share a place. */
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

/** Some servers give every answer the same id: only one that took the same as well is a copy. */
function hashOf(agent: string, usage: TranscriptUsage | undefined): string {
  if (typeof usage?.id !== "string" || usage.id === "") return NO_ID;
  const { id, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const name = [agent, inputTokens, outputTokens, cacheReadTokens ?? 0, cacheWriteTokens ?? 0, id].join("\n");
  return hash("sha256", name, "hex").slice(0, ID_DIGITS);
}

import { type FoundModel, findModel, type PriceData, type TokenPrice } from "./find-model.ts";

/** The rates of one model. */
export interface ModelRates {
  /** The model's name in the list. Undefined if the list has only a pattern. */
  readonly entry: string | undefined;
  /** The cost of a request, in dollars. `inputTokens` excludes cached tokens. */
  priceOf(request: RequestTokens): number;
  /** The model's context window. Undefined if the list does not say. */
  readonly contextTokens: number | undefined;
}

interface RequestTokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /**
   * The part of `cacheWriteTokens` that is cached for an hour instead of minutes.
   * @default 0
   */
  readonly cacheWriteLongTokens?: number;
}

/** Prices of models, from a list in the package. */
export interface PriceList {
  /** The rates of a model at a time. Undefined if the model is not on the list. */
  ratesOf(model: string, at: number | undefined): ModelRates | undefined;
}

/**
 * The version of `@pydantic/genai-prices` that the list comes from, and its publication date. A test compares the list
 * with it.
 */
export const PRICE_LIST = { version: "0.1.8", asOf: "2026-09-23" } as const;

const DAY_MS = 86_400_000;
const MAX_MODEL_NAME = 200;
const MAX_KNOWN = 2_000;

/** Creates a price list. It loads its data when it needs the first model, because that takes a moment. */
export function priceListFrom(load: () => PriceData): PriceList {
  const known = new Map<string, ModelRates | undefined>();
  let data: PriceData | undefined;

  const look = (model: string, at: number | undefined): ModelRates | undefined => {
    data ??= load();
    const time = at === undefined ? new Date() : new Date(at);
    for (const name of namesOf(model)) {
      const found = findModel(data, name, time);
      if (found !== undefined) return ratesFrom(found);
    }
    return undefined;
  };

  return {
    ratesOf(model, at) {
      if (model.length > MAX_MODEL_NAME) return undefined;
      // Finding a model is slow, and prices change at most once a day.
      const key = `${at === undefined ? "" : Math.floor(at / DAY_MS)} ${model}`;
      if (known.has(key)) return known.get(key);
      if (known.size >= MAX_KNOWN) known.clear();
      const rates = look(model, at);
      known.set(key, rates);
      return rates;
    },
  };
}

/**
 * Finds the public names of models: those in the price list. Undefined for a model that is not on the list.
 *
 * Never returns the given name, because its suffix may be private.
 */
export function publicModelsFrom(prices: PriceList): (model: string) => string | undefined {
  return (model) => prices.ratesOf(model, undefined)?.entry;
}

/** The model's name as given, and without a router's prefix. */
function namesOf(model: string): readonly string[] {
  const plain = model.slice(model.lastIndexOf("/") + 1);
  return plain === model || plain === "" ? [model] : [model, plain];
}

/** Calculates the same sum as the list's own function, without its search for the model. */
function ratesFrom({ entry, prices: price, contextTokens }: FoundModel): ModelRates | undefined {
  const { input_mtok: input, output_mtok: output } = price;
  if (input === undefined && output === undefined) return undefined;
  const read = price.cache_read_mtok ?? input;
  const write = price.cache_write_mtok ?? input;
  const writeLong = price.cache_write_1h_mtok ?? write;
  return {
    entry,
    contextTokens,
    priceOf({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cacheWriteLongTokens = 0 }) {
      const context = inputTokens + cacheReadTokens + cacheWriteTokens;
      const cost =
        rateOf(input, context) * inputTokens +
        rateOf(output, context) * outputTokens +
        rateOf(read, context) * cacheReadTokens +
        rateOf(write, context) * (cacheWriteTokens - cacheWriteLongTokens) +
        rateOf(writeLong, context) * cacheWriteLongTokens;
      return cost / 1e6;
    },
  };
}

function rateOf(price: TokenPrice | undefined, context: number): number {
  if (price === undefined || typeof price === "number") return price ?? 0;
  let rate = price.base;
  for (const { start, price: dearer } of price.tiers) if (context > start) rate = dearer;
  return rate;
}

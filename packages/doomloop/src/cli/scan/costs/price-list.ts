import { createRequire } from "node:module";
import type { ModelPrice, PriceCalculationResult, Usage } from "@pydantic/genai-prices";

/** What a million tokens cost, in dollars, by the size of the request. */
export interface ModelRates {
  /** What a request costs. `inputTokens` are those that come from no cache. */
  priceOf(request: RequestTokens): number;
}

export interface RequestTokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

/** Prices of models, from a list that is shipped with the package. */
export interface PriceList {
  /** The rates of a model at a time; undefined for a model that is not on the list. */
  ratesOf(model: string, at: number | undefined): ModelRates | undefined;
}

/** The day that the installed list was published on, and its version: a test holds the two together. */
export const PRICE_LIST = { version: "0.1.8", asOf: "2026-09-23" } as const;

const DAY_MS = 86_400_000;
const MAX_MODEL_NAME = 200;
const MAX_KNOWN = 2_000;

type CalcPrice = (usage: Usage, model: string, options?: { timestamp?: Date }) => PriceCalculationResult;

const load = createRequire(import.meta.url);

/** Creates the price list. Loading it takes a moment, so that is put off until the first model is asked for. No network is used. */
export function createPriceList(): PriceList {
  const known = new Map<string, ModelRates | undefined>();
  let calculate: CalcPrice | undefined;

  const calcPrice: CalcPrice = (usage, model, options) => {
    calculate ??= (load("@pydantic/genai-prices") as typeof import("@pydantic/genai-prices")).calcPrice;
    return calculate(usage, model, options);
  };

  const look = (model: string, at: number | undefined): ModelRates | undefined => {
    for (const name of namesOf(model)) {
      try {
        const found = calcPrice(
          { input_tokens: 1, output_tokens: 1 },
          name,
          at === undefined ? {} : { timestamp: new Date(at) },
        );
        if (found !== null) return ratesFrom(found.model_price);
      } catch {
        // A name that the list cannot take is a model without a price.
      }
    }
    return undefined;
  };

  return {
    ratesOf(model, at) {
      if (model.length > MAX_MODEL_NAME) return undefined;
      // Finding a model is slow, and prices change by the day at most.
      const key = `${at === undefined ? "" : Math.floor(at / DAY_MS)} ${model}`;
      if (known.has(key)) return known.get(key);
      if (known.size >= MAX_KNOWN) known.clear();
      const rates = look(model, at);
      known.set(key, rates);
      return rates;
    },
  };
}

/** A model's name, and without what routers put before it. */
function namesOf(model: string): readonly string[] {
  const plain = model.slice(model.lastIndexOf("/") + 1);
  return plain === model || plain === "" ? [model] : [model, plain];
}

/** The same sum that the list's own function makes, without its search for the model. */
function ratesFrom(price: ModelPrice): ModelRates | undefined {
  const { input_mtok: input, output_mtok: output } = price;
  if (input === undefined && output === undefined) return undefined;
  const read = price.cache_read_mtok ?? input;
  const write = price.cache_write_mtok ?? input;
  return {
    priceOf({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }) {
      const context = inputTokens + cacheReadTokens + cacheWriteTokens;
      const cost =
        rateOf(input, context) * inputTokens +
        rateOf(output, context) * outputTokens +
        rateOf(read, context) * cacheReadTokens +
        rateOf(write, context) * cacheWriteTokens;
      return cost / 1e6;
    },
  };
}

function rateOf(price: ModelPrice[string], context: number): number {
  if (price === undefined || typeof price === "number") return price ?? 0;
  let rate = price.base;
  for (const { start, price: dearer } of price.tiers) if (context > start) rate = dearer;
  return rate;
}

/** What a million tokens cost, in dollars; from some size of the request on, more or less. */
export type TokenPrice = number | { readonly base: number; readonly tiers: readonly PriceTier[] };

interface PriceTier {
  readonly start: number;
  readonly price: number;
}

/** The prices of a model, in the words of the list. */
export interface ModelPrices {
  readonly input_mtok?: TokenPrice;
  readonly output_mtok?: TokenPrice;
  readonly cache_read_mtok?: TokenPrice;
  readonly cache_write_mtok?: TokenPrice;
  /** For what is kept for an hour. */
  readonly cache_write_1h_mtok?: TokenPrice;
}

/** The list, as `scripts/write-prices.ts` takes it from `@pydantic/genai-prices`. */
export interface PriceData {
  readonly version: string;
  readonly providers: readonly Provider[];
}

export interface Provider {
  readonly id: string;
  /** The names that are this provider's. One without is only asked by others. */
  readonly model_match?: NameMatch;
  /** Whose models it sells as well. */
  readonly fallback_model_providers?: readonly string[];
  readonly models: readonly Model[];
}

export interface Model {
  readonly match: NameMatch;
  /** As many tokens as it takes at once. */
  readonly context_window?: number;
  /** Where prices changed: the latest that applies is the last. */
  readonly prices: ModelPrices | readonly DatedPrices[];
}

export interface DatedPrices {
  readonly constraint?:
    | { readonly type: "start_date"; readonly start_date: string }
    | { readonly type: "time_of_date"; readonly start_time: string; readonly end_time: string };
  readonly prices: ModelPrices;
}

export type NameMatch =
  | { readonly or: readonly NameMatch[] }
  | { readonly and: readonly NameMatch[] }
  | { readonly equals: string }
  | { readonly starts_with: string }
  | { readonly ends_with: string }
  | { readonly contains: string }
  | { readonly regex: string };

/** A model on the price list. */
export interface FoundModel {
  /** The model's name in the list. Undefined if the list has only a pattern. */
  readonly entry: string | undefined;
  readonly prices: ModelPrices;
  /** The context window. Undefined if the list does not say. */
  readonly contextTokens: number | undefined;
}

/**
 * Finds a model and its prices at a time. Undefined if it is not on the list. Gives the same result as the list's own
 * function.
 */
export function findModel({ providers }: PriceData, model: string, at: Date): FoundModel | undefined {
  const name = model.toLowerCase().trim();
  const provider = providers.find(({ model_match: match }) => match !== undefined && matches(match, name));
  if (provider === undefined) return undefined;
  const found = modelOf(provider, name, providers) ?? modelOf(provider, withDashedDate(name), providers);
  const prices = found && pricesAt(found.prices, at);
  return prices && { entry: entryOf(found.match, name), prices, contextTokens: found.context_window };
}

function modelOf(provider: Provider, name: string, providers: readonly Provider[]): Model | undefined {
  const others = (provider.fallback_model_providers ?? []).map((id) => providers.find((other) => other.id === id));
  for (const seller of [provider, ...others]) {
    const found = seller?.models.find(({ match }) => matches(match, name));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Some write 20250929 and some 2025-09-29. */
function withDashedDate(name: string): string {
  return name.replaceAll(/-(20\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?=-|:|$)/g, (written, year, month, day) => {
    const dashed = `${year}-${month}-${day}`;
    return new Date(`${dashed}T00:00:00Z`).toISOString().startsWith(dashed) ? `-${dashed}` : written;
  });
}

function matches(match: NameMatch, name: string): boolean {
  if ("or" in match) return match.or.some((one) => matches(one, name));
  if ("and" in match) return match.and.every((one) => matches(one, name));
  if ("equals" in match) return name === match.equals.toLowerCase();
  if ("starts_with" in match) return name.startsWith(match.starts_with.toLowerCase());
  if ("ends_with" in match) return name.endsWith(match.ends_with.toLowerCase());
  if ("contains" in match) return name.includes(match.contains.toLowerCase());
  return new RegExp(match.regex).test(name);
}

/** The longest name on the list that matches the given one. If only a pattern matches, the first name. */
function entryOf(match: NameMatch, name: string): string | undefined {
  const written = partsOf(match).flatMap((part) => {
    const text = "equals" in part ? part.equals : "starts_with" in part ? part.starts_with : undefined;
    return text === undefined ? [] : [{ text, isMatching: matches(part, name) }];
  });
  const matching = written
    .filter(({ isMatching }) => isMatching)
    .sort((one, other) => other.text.length - one.text.length);
  return (matching[0] ?? written[0])?.text;
}

/** The conditions of which a match consists. */
function partsOf(match: NameMatch): readonly NameMatch[] {
  const parts = "or" in match ? match.or : "and" in match ? match.and : undefined;
  return parts === undefined ? [match] : parts.flatMap(partsOf);
}

function pricesAt(prices: Model["prices"], at: Date): ModelPrices | undefined {
  if (!isDated(prices)) return prices;
  if (Number.isNaN(at.getTime())) return undefined;
  return (prices.findLast(({ constraint }) => applies(constraint, at)) ?? prices[0])?.prices;
}

function isDated(prices: Model["prices"]): prices is readonly DatedPrices[] {
  return Array.isArray(prices);
}

function applies(constraint: DatedPrices["constraint"], at: Date): boolean {
  if (constraint === undefined) return true;
  if (constraint.type === "start_date") return at >= new Date(constraint.start_date);
  const [start, end, now] = [constraint.start_time, constraint.end_time, at.toISOString().slice(11)].map(
    secondOfDay,
  ) as [number, number, number];
  return end < start ? now >= start || now < end : now >= start && now < end;
}

/** Expects a time such as `08:30:00Z`. A test checks that the list has no other format. */
function secondOfDay(time: string): number {
  const [hours, minutes, seconds] = time.slice(0, -1).split(":").map(Number) as [number, number, number];
  return (hours * 60 + minutes) * 60 + seconds;
}

/** The price of a million tokens, in dollars. It may change with the size of the request. */
export type TokenPrice = number | { readonly base: number; readonly tiers: readonly PriceTier[] };

interface PriceTier {
  readonly start: number;
  readonly price: number;
}

/** The prices of a model, with the list's field names. */
export interface ModelPrices {
  readonly input_mtok?: TokenPrice;
  readonly output_mtok?: TokenPrice;
  readonly cache_read_mtok?: TokenPrice;
  readonly cache_write_mtok?: TokenPrice;
  /** For tokens cached for an hour. */
  readonly cache_write_1h_mtok?: TokenPrice;
}

/** The list, as `scripts/generated/prices.ts` takes it from `@pydantic/genai-prices`. */
export interface PriceData {
  readonly version: string;
  readonly providers: readonly Provider[];
}

export interface Provider {
  readonly id: string;
  /** Matches this provider's model names. A provider without it is only used by others. */
  readonly model_match?: NameMatch;
  /** Other providers whose models it also offers. */
  readonly fallback_model_providers?: readonly string[];
  readonly models: readonly Model[];
}

interface Model {
  readonly match: NameMatch;
  /** In tokens. */
  readonly context_window?: number;
  /** If prices changed over time, the last entry that applies is valid. */
  readonly prices: ModelPrices | readonly DatedPrices[];
}

export interface DatedPrices {
  readonly constraint?:
    | { readonly type: "start_date"; readonly start_date: string }
    | { readonly type: "time_of_date"; readonly start_time: string; readonly end_time: string };
  readonly prices: ModelPrices;
}

type NameMatch =
  | { readonly or: readonly NameMatch[] }
  | { readonly and: readonly NameMatch[] }
  | { readonly equals: string }
  | { readonly starts_with: string }
  | { readonly ends_with: string }
  | { readonly contains: string }
  | { readonly regex: string };

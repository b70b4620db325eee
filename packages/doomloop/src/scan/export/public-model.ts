import { createPriceList } from "../costs/price-list.ts";

/**
 * The name that the price list has for a model, which anybody can use; undefined for one that is not on it. Never the name that was given: what follows the
 * list's may be somebody's own.
 */
export function publicModel(model: string | undefined): string | undefined {
  return model === undefined ? undefined : createPriceList().ratesOf(model, undefined)?.entry;
}

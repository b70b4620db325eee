import { createPriceList } from "../costs/price-list.ts";
import { isOfWords } from "../is-of-words.ts";

/** The name of a model that anybody can use. One that is on no price list may be somebody's own, and so may be its name. */
export function publicModel(model: string | undefined): string | undefined {
  if (model === undefined || !isOfWords(model.replace(/-20\d{6}$/, ""))) return undefined;
  return createPriceList().ratesOf(model, undefined) === undefined ? undefined : model;
}

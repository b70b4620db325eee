import { readFileSync } from "node:fs";
import { packageFolder } from "../../system/package-folder.ts";
import type { PriceData } from "./find-model.ts";
import { type PriceList, priceListFrom, publicModelsFrom } from "./model-rates.ts";

/** The price list in the package. It makes no network calls. */
export function createPriceList(): PriceList {
  return priceListFrom(
    () => JSON.parse(readFileSync(new URL("assets/prices.json", packageFolder), "utf8")) as PriceData,
  );
}

/** The public names of the models in the package's price list. */
export function createPublicModels(): (model: string) => string | undefined {
  return publicModelsFrom(createPriceList());
}

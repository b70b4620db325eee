import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { waitForUpdate } from "@pydantic/genai-prices";
import type { DatedPrices, ModelPrices, Provider } from "../../packages/doomloop/src/scan/costs/find-model.ts";
import { keepFile } from "../repository.ts";

const PRICES = ["input_mtok", "output_mtok", "cache_read_mtok", "cache_write_mtok", "cache_write_1h_mtok"] as const;

/**
 * The prices that the command line needs, from the installed `@pydantic/genai-prices`. After an update of that, set the date in `model-rates.ts`; a
 * test fails until then.
 *
 * A model is looked up by its name alone: providers that no name leads to are left out, and so is all that is neither a price of
 * tokens nor the size of a context. That leaves 3 % of the package.
 */
export async function keepPrices(): Promise<readonly string[]> {
  const all = (await waitForUpdate()) as readonly Provider[];
  const named = all.filter(({ model_match: match }) => match !== undefined);
  const asked = new Set(named.flatMap(({ id, fallback_model_providers: others = [] }) => [id, ...others]));
  const installed = new URL("../package.json", import.meta.resolve("@pydantic/genai-prices"));
  const { version } = JSON.parse(readFileSync(fileURLToPath(installed), "utf8")) as { version: string };
  // One model a line: an update shows what changed.
  const text = all
    .filter(({ id }) => asked.has(id))
    .map(
      ({ models, ...provider }) =>
        `${JSON.stringify(headOf(provider)).slice(0, -1)},"models":[\n${models.map(lineOf).join(",\n")}\n]}`,
    );
  return keepFile(
    "packages/doomloop/assets/prices.json",
    `{"version":"${version}","providers":[\n${text.join(",\n")}\n]}\n`,
  );
}

function headOf({ id, model_match, fallback_model_providers }: Omit<Provider, "models">): Omit<Provider, "models"> {
  return { id, ...(model_match && { model_match }), ...(fallback_model_providers && { fallback_model_providers }) };
}

function lineOf({ match, context_window, prices }: Provider["models"][number]): string {
  return JSON.stringify({ match, context_window, prices: isDated(prices) ? prices.map(datedOf) : pricesOf(prices) });
}

function isDated(prices: Provider["models"][number]["prices"]): prices is readonly DatedPrices[] {
  return Array.isArray(prices);
}

function datedOf({ constraint, prices }: DatedPrices): DatedPrices {
  if (constraint?.type === "time_of_date" && ![constraint.start_time, constraint.end_time].every(isUtc)) {
    throw new Error(`prices: times of UTC are required, got ${JSON.stringify(constraint)}`);
  }
  return { ...(constraint && { constraint }), prices: pricesOf(prices) };
}

function isUtc(time: string): boolean {
  return /^\d{2}:\d{2}:\d{2}Z$/.test(time);
}

function pricesOf(prices: ModelPrices): ModelPrices {
  return Object.fromEntries(PRICES.flatMap((key) => (prices[key] === undefined ? [] : [[key, prices[key]]])));
}

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { calcPrice, waitForUpdate } from "@pydantic/genai-prices";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { packageFolder } from "../../package-folder.ts";
import { findPrices } from "./find-prices.ts";
import type { ModelPrices, PriceData } from "./price-data.ts";
import { createPriceList, PRICE_LIST } from "./price-list.ts";

const tokens = fc.nat(400_000);

it("asks as much as the list's own function, whatever the size of the request", () => {
  const prices = createPriceList();
  const models = fc.constantFrom("claude-sonnet-4-5", "gpt-4o", "gemini-2.5-pro", "claude-3-5-haiku-20241022");
  fc.assert(
    fc.property(models, tokens, tokens, tokens, (model, inputTokens, cacheReadTokens, outputTokens) => {
      const own = prices
        .ratesOf(model, undefined)!
        .priceOf({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens: 0 });
      const usage = {
        input_tokens: inputTokens + cacheReadTokens,
        cache_read_tokens: cacheReadTokens,
        output_tokens: outputTokens,
      };

      expect(own).toBeCloseTo(calcPrice(usage, model)!.total_price, 9);
    }),
    { numRuns: 60 },
  );
});

it("knows no price for a model that is not on the list, and takes any name", () => {
  const prices = createPriceList();

  for (const name of ["no-such-model", "", "/", "a".repeat(10_000), "(((", "constructor"]) {
    expect(prices.ratesOf(name, undefined)).toBeUndefined();
  }
});

it("finds a model behind a router's name", () => {
  const prices = createPriceList();
  const request = { inputTokens: 1000, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0 };

  expect(prices.ratesOf("some-router/claude-sonnet-4-5", undefined)?.priceOf(request)).toBe(
    prices.ratesOf("claude-sonnet-4-5", undefined)?.priceOf(request),
  );
});

describe("the list that is shipped", () => {
  const data = JSON.parse(readFileSync(new URL("assets/prices.json", packageFolder), "utf8")) as PriceData;

  it("is of the version that is installed, whose day is stated", () => {
    const path = createRequire(import.meta.url).resolve("@pydantic/genai-prices");
    const file = readFileSync(new URL("../package.json", `file://${path}`), "utf8");

    expect((JSON.parse(file) as { version: string }).version).toBe(PRICE_LIST.version);
    expect(data.version).toBe(PRICE_LIST.version);
  });

  it("has for every name and time the prices that the list's own function finds", async () => {
    const names = new Set((await waitForUpdate())!.flatMap(({ models }) => models.flatMap(namesOf)));
    const times = ["2023-01-01T00:00:00Z", "2025-06-15T03:59:59Z", "2026-01-31T17:00:00Z", "2026-09-23T08:00:00Z"];
    const wrong: unknown[] = [];
    let priced = 0;
    for (const name of names) {
      for (const time of times) {
        const expected = expectedPrices(name, new Date(time));
        const prices = findPrices(data, name, new Date(time));
        if (expected !== undefined) priced++;
        if (JSON.stringify(prices) !== JSON.stringify(expected)) wrong.push({ name, time, prices, expected });
      }
    }

    expect(wrong).toEqual([]);
    expect(priced).toBeGreaterThan(2_000);
  });
});

/** Names that may lead to a model: its own, and those that its rule mentions. */
function namesOf({ id, match }: { id: string; match: object }): string[] {
  const mentioned = [...JSON.stringify(match).matchAll(/"(?:equals|starts_with|ends_with|contains)":"([^"]+)"/g)];
  return [id, ...mentioned.map(([, name = ""]) => name)].flatMap((name) => [name, `${name}-20250929`, `x-${name}`]);
}

function expectedPrices(name: string, timestamp: Date): ModelPrices | undefined {
  const found = calcPrice({ input_tokens: 1, output_tokens: 1 }, name, { timestamp });
  if (found === null) return undefined;
  const { input_mtok, output_mtok, cache_read_mtok, cache_write_mtok } = found.model_price;
  return { input_mtok, output_mtok, cache_read_mtok, cache_write_mtok } as ModelPrices;
}

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { calcPrice } from "@pydantic/genai-prices";
import fc from "fast-check";
import { expect, it } from "vitest";
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

it("states the day of the list that is installed", () => {
  const path = createRequire(import.meta.url).resolve("@pydantic/genai-prices");
  const file = readFileSync(new URL("../package.json", `file://${path}`), "utf8");

  expect((JSON.parse(file) as { version: string }).version).toBe(PRICE_LIST.version);
});

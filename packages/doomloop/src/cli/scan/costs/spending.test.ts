import { expect, it } from "vitest";
import { call, result, round, user } from "../../../testing/index.ts";
import { createAnswerLedger } from "./answer-ledger.ts";
import { createPriceList } from "./price-list.ts";
import { createSpending } from "./spending.ts";

const prices = createPriceList();
const USAGE = { inputTokens: 100, outputTokens: 10, cacheReadTokens: 1000, cacheWriteTokens: 0 };

function recordedLedger(answers: number) {
  const ledger = createAnswerLedger();
  for (let at = 0; at < answers; at++) {
    for (const event of [round, call("read", { at }, { id: `c${at}` }), result("text", { id: `c${at}` })])
      ledger.note(event);
    ledger.addUsage(USAGE);
  }
  return ledger;
}

it("adds recorded tokens up over any stretch of answers", () => {
  const ledger = recordedLedger(4);
  const spending = createSpending(ledger, {
    model: "claude-sonnet-4-5",
    at: undefined,
    prices,
    tokensPerCharacter: undefined,
  });

  expect(spending.tokens(-1, 3)).toEqual({ low: 4440, high: 4440, isEstimated: false });
  expect(spending.tokens(1, 3)).toEqual({ low: 2220, high: 2220, isEstimated: false });
  expect(spending.tokens(3, 3)).toEqual({ low: 0, high: 0, isEstimated: false });
  expect(spending.costUsd(2, 3)!.high).toBeCloseTo((100 * 3 + 1000 * 0.3 + 10 * 15) / 1e6, 9);
});

it("shows tokens and no money for a model without a price", () => {
  const spending = createSpending(recordedLedger(2), {
    model: "no-such-model",
    at: undefined,
    prices,
    tokensPerCharacter: undefined,
  });

  expect(spending.tokens(-1, 1)?.high).toBe(2220);
  expect(spending.costUsd(-1, 1)).toBeNull();
});

it("takes the agent's own word on what an answer cost, unless that is nothing", () => {
  const ledger = createAnswerLedger();
  ledger.note(round);
  ledger.addUsage({ ...USAGE, costUsd: 0.5 });
  ledger.note(round);
  ledger.addUsage({ ...USAGE, costUsd: 0 });
  const options = { model: "no-such-model", at: undefined, prices, tokensPerCharacter: undefined };

  expect(createSpending(ledger, options).costUsd(-1, 1)).toEqual({
    low: 0.5,
    high: 0.5,
    isEstimated: false,
  });
});

it("estimates a run without usage as a range: each answer reads the conversation again", () => {
  const ledger = createAnswerLedger();
  const words = "word ".repeat(200);
  for (const event of [
    user(words),
    call("read", {}, { id: "a" }),
    result(words, { id: "a" }),
    call("read", {}, { id: "b" }),
  ])
    ledger.note(event);
  const spending = createSpending(ledger, {
    model: "gpt-4o",
    at: undefined,
    prices,
    tokensPerCharacter: 0.25,
  });
  const all = spending.tokens(-1, 1)!;

  expect(ledger.places()).toHaveLength(2);
  expect(all.isEstimated).toBe(true);
  expect(all.low).toBeGreaterThan(0.9 * 3 * 250);
  expect(all.high).toBeLessThan(1.3 * 3 * 260);
  expect(spending.costUsd(-1, 1)!.low).toBeLessThan(spending.costUsd(-1, 1)!.high);
});

it("counts usage that is no number as nothing", () => {
  const ledger = createAnswerLedger();
  ledger.note(round);
  ledger.addUsage({ inputTokens: Number.NaN, outputTokens: -5, cacheReadTokens: "7" as unknown as number });
  const options = { model: undefined, at: undefined, prices, tokensPerCharacter: undefined };

  expect(createSpending(ledger, options).tokens(-1, 0)).toEqual({ low: 0, high: 0, isEstimated: false });
});

it("keeps a bounded ledger of a run without end, and loses no token", () => {
  const ledger = recordedLedger(300_000);
  const options = { model: undefined, at: undefined, prices: undefined, tokensPerCharacter: undefined };
  const spending = createSpending(ledger, options);

  expect(ledger.places().length).toBeLessThanOrEqual(65_536);
  expect(spending.tokens(-1, ledger.current())!.high).toBe(300_000 * 1110);
  expect(spending.tokens(199_999, 299_999)!.high / (100_000 * 1110)).toBeCloseTo(1, 3);
});

import { expect } from "vitest";
import { textOf, WORDS } from "./adapter-report.ts";
import type { AdapterUnderTest } from "./adapter-under-test.ts";

/** What an adapter makes of results that are no plain data, of calls that were aborted, and of calls that a human did not allow. */
export function oddResults({ driver, unless, loop }: AdapterUnderTest): void {
  const { abilities } = driver;

  unless("instances", "notices a loop whose results are instances of classes with the same JSON", async () => {
    const { requests, executed } = await loop({}, { run: () => new Row(510) });

    if (abilities.nudge !== "none") expect(textOf(requests[3])).toContain(WORDS);
    if (abilities.block) expect(executed).toHaveLength(4);
  });

  unless("instances", "takes instances of classes with other JSON for other results", async () => {
    let price = 0;
    const { requests } = await loop({}, { run: () => new Row(++price) });

    expect(requests.some((request) => textOf(request).includes(WORDS))).toBe(false);
  });
}

/** As a library for numbers has them. No hidden fields: some hosts copy results field by field. */
class Decimal {
  readonly digits: readonly number[];
  constructor(number: number) {
    this.digits = [...String(number)].map(Number);
  }
  toJSON(): string {
    return this.digits.join("");
  }
}

/** As a database's library has them. */
class Row {
  readonly id = 7;
  readonly name = "Ann";
  readonly price: Decimal;
  constructor(price: number) {
    this.price = new Decimal(price);
  }
}

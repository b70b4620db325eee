import { expect } from "vitest";
import {
  type AgentEvent,
  createGuard,
  type Decision,
  type Guard,
  type GuardOptions,
} from "../../packages/doomloop/src/index.ts";
import { textOf, WORDS } from "./adapter-report.ts";
import { loopScript, recordedTools } from "./adapter-scripts.ts";
import type { AdapterUnderTest } from "./adapter-under-test.ts";

/** What an adapter makes of results that are no plain data, of calls that were aborted, and of calls that a human did not allow. */
export function oddResults({ driver, unless, wireGuarded, loop }: AdapterUnderTest): void {
  const { abilities } = driver;

  unless("instances", "notices a loop whose results are instances of classes with the same JSON", async () => {
    const { requests, executed } = await loop({}, { run: () => new Row(510) });

    if (abilities.nudge !== "none") expect(requests.some((request) => textOf(request).includes(WORDS))).toBe(true);
    if (abilities.block) expect(executed).toHaveLength(4);
  });

  unless("instances", "takes instances of classes with other JSON for other results", async () => {
    let price = 0;
    const { requests } = await loop({}, { run: () => new Row(++price) });

    expect(requests.some((request) => textOf(request).includes(WORDS))).toBe(false);
  });

  unless("abort", "takes a call that was aborted for one that was not made", async () => {
    const controller = new AbortController();
    const run = (): never => {
      controller.abort(new Error("the user pressed escape"));
      throw new Error("the disk is full");
    };
    const { createGuard, events } = listening();
    const { tools, executed } = recordedTools({ run });
    await wireGuarded(tools, { createGuard }).run(loopScript(1), { signal: controller.signal });
    const results = events.filter((event) => event.type === "result");

    expect(executed).toHaveLength(1);
    expect(events.filter(({ type }) => type === "call")).toHaveLength(1);
    expect(results.filter(({ cancelled }) => cancelled !== true)).toEqual([]);
  });

  unless("rejection", "tells of a call that a human rejects each time, and asks no more in the end", async () => {
    const asks = { needsApproval: true };
    const bare = recordedTools(asks);
    const { tools, executed } = recordedTools(asks);
    const without = await driver.wire(bare.tools, undefined).run(loopScript(), { isRejected: true });
    const { approvals, requests } = await wireGuarded(tools).run(loopScript(), { isRejected: true });
    const hasWords = requests.map(({ raw }) => JSON.stringify(raw).includes(WORDS));

    expect(without.approvals).toBe(10);
    expect(executed).toEqual([]);
    if (abilities.nudge !== "none") expect(hasWords.slice(0, 4)).toEqual([false, false, false, true]);
    // Some hosts ask before they ask the guard.
    if (abilities.block) expect(approvals).toBeLessThanOrEqual(6);
  });
}

/** Makes guards that note what they observe. */
function listening() {
  const events: AgentEvent[] = [];
  const create = (options: GuardOptions): Guard => {
    const guard = createGuard(options);
    const observe = (event: AgentEvent): Decision => {
      events.push(event);
      return guard.observe(event);
    };
    return { ...guard, observe };
  };
  return { createGuard: create, events };
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

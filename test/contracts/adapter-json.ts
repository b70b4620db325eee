import { describe, expect, it } from "vitest";
import { textOf, textsIn, WORDS } from "./adapter-report.ts";
import type { AdapterUnderTest } from "./adapter-under-test.ts";

const ORDERS = '{"orders":[],"page":1}';

/** Programs parse what tools give back: a page that shows it, a log. What is said to the model must not break them. */
export function jsonResults({ driver, unless, loop }: AdapterUnderTest): void {
  const loopOfJson = (isStreaming: boolean) => loop({ isStreaming }, { run: () => ORDERS });

  describe("on results that are JSON", () => {
    describe.each([
      { way: "in whole answers", isStreaming: false },
      { way: "in a stream", isStreaming: true },
    ])("$way", ({ isStreaming }) => {
      const test = (title: string, run: () => Promise<void>): void =>
        isStreaming ? unless("streaming", title, run) : it(title, run);

      test("leaves them whole for a program that parses them", async () => {
        const { outcome, error } = await loopOfJson(isStreaming);
        const results = textsIn(outcome).filter((text) => text.startsWith('{"orders"'));

        expect(error).toBeUndefined();
        if (driver.lacks?.results === undefined) expect(results.length).toBeGreaterThan(0);
        expect(results).toEqual(results.map(() => ORDERS));
      });

      test("shows a user words of ours that say who speaks, or none", async () => {
        const { outcome } = await loopOfJson(isStreaming);
        const unsigned = textsIn(outcome).map((text) => text.replaceAll(`${WORDS} `, ""));

        expect(unsigned.filter((text) => text.includes("doomloop"))).toEqual([]);
      });
    });

    if (driver.abilities.nudge !== "none")
      unless("json-words", "still lets the model read the nudge, and the result", async () => {
        const { requests } = await loopOfJson(false);
        const [before, after] = requests.slice(2, 4).map(textOf);

        expect(before).not.toContain(WORDS);
        expect(after).toContain(WORDS);
        expect(after?.replaceAll("\\", "")).toContain(ORDERS);
      });
  });
}

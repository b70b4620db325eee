import { describe, expect, it } from "vitest";
import type { RunHow } from "./adapter-driver.ts";
import { textOf, WORDS } from "./adapter-report.ts";
import { chantScript, pageScript, recordedTools } from "./adapter-scripts.ts";
import type { AdapterUnderTest } from "./adapter-under-test.ts";

const WAYS: readonly { readonly way: string; readonly how: RunHow }[] = [
  { way: "in whole answers", how: {} },
  { way: "in a stream", how: { isStreaming: true } },
];

/** What an adapter does with what the model says and thinks. */
export function whatIsSaid({ driver, unless, wireGuarded, both }: AdapterUnderTest): void {
  const { abilities, lacks } = driver;

  describe.each(WAYS.filter(({ how }) => !how.isStreaming || lacks?.streaming === undefined))("$way", ({ how }) => {
    for (const stream of ["text", "reasoning"] as const) {
      unless(stream, `hears ${stream} that chants, and lets every call run`, async () => {
        const { tools, executed } = recordedTools();
        const { requests, error } = await wireGuarded(tools).run(chantScript(stream), how);

        expect(error).toBeUndefined();
        expect(executed).toHaveLength(10);
        if (abilities.nudge !== "none")
          expect(requests.some((request) => textOf(request).includes(`${WORDS} Your`))).toBe(true);
      });
    }

    it("leaves a run alone that says something beside each call", async () => {
      const script = pageScript(6).map((answer, at) => ({ ...answer, text: `This is page ${at} of the book.` }));
      const { without, withGuard } = await both(script, how);

      expect(JSON.stringify(withGuard)).toBe(JSON.stringify(without));
    });
  });
}

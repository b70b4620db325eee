import { describe, expect, it } from "vitest";
import type { ScriptedAnswer, ScriptedCall } from "./adapter-driver.ts";
import { textOf, visible, WORDS } from "./adapter-report.ts";
import { healthyScript, loopScript, pageScript, recordedTools } from "./adapter-scripts.ts";
import type { AdapterUnderTest } from "./adapter-under-test.ts";

/** How servers name the calls of an answer. Only the first of these ways was ever promised to anybody. */
const STYLES: readonly { readonly style: string; idOf(call: ScriptedCall, at: number): string }[] = [
  { style: "begin anew with each answer", idOf: (_call, at) => `call_${at}` },
  { style: "are the tool's name with a number that begins anew", idOf: ({ tool }, at) => `functions.${tool}:${at}` },
  { style: "are empty", idOf: () => "" },
];

/** What an adapter does where ids do not tell one call from another: real servers send all of these. */
export function callIds({ driver, unless, wireGuarded, both }: AdapterUnderTest): void {
  const { abilities } = driver;

  describe.each(STYLES)("where ids of calls $style", ({ style, idOf }) => {
    const named = (script: readonly ScriptedAnswer[]): ScriptedAnswer[] =>
      script.map(({ calls, ...rest }) => ({
        ...rest,
        ...(calls && { calls: calls.map((call, at) => ({ ...call, id: idOf(call, at) })) }),
      }));
    const feature = style === "are empty" ? "empty-ids" : "repeated-ids";
    const test = (title: string, run: () => Promise<void>): void => unless(feature, title, run);

    // A host that loses such calls by itself loses the same ones.
    it("leaves a healthy run as it is, byte for byte", async () => {
      const hasParallel = driver.lacks?.parallel === undefined && style !== "are empty";
      const { without, withGuard } = await both(named(healthyScript(hasParallel)));

      if (driver.lacks?.[feature] === undefined) expect(without.executed.length).toBeGreaterThan(0);
      expect(JSON.stringify(withGuard)).toBe(JSON.stringify(without));
    });

    if (driver.lacks?.[feature] !== undefined)
      it(`is what the bare host cannot do: ${driver.lacks[feature]}`, async () => {
        const { requests } = await driver.wire(recordedTools().tools, undefined).run(named(loopScript()));
        const results = requests.at(-1)?.messages.flatMap(({ parts }) => parts.filter(({ type }) => type === "result"));

        expect(results?.length).toBeLessThan(loopScript().length);
      });

    test("still breaks a loop, at the same calls", async () => {
      const { tools, executed } = recordedTools();
      const { requests, error } = await wireGuarded(tools).run(named(loopScript()));

      expect(error).toBeUndefined();
      if (abilities.nudge !== "none")
        expect(requests.slice(0, 4).map((request) => textOf(request).includes(WORDS))).toEqual([
          false,
          false,
          false,
          true,
        ]);
      if (abilities.block) expect(executed).toHaveLength(4);
      if (abilities.stop !== "none") expect(requests).toHaveLength(6);
    });

    if (driver.lacks?.concurrent === undefined)
      test("says nothing to a run of which others, with the same ids, are in a loop", async () => {
        const alone = await driver.wire(recordedTools().tools, undefined).run(named(pageScript()));
        const host = wireGuarded(recordedTools().tools);
        const [, pages] = await Promise.all(
          [loopScript(), pageScript(), loopScript()].map((script) => host.run(named(script))),
        );

        expect(JSON.stringify(visible(pages!))).toBe(JSON.stringify(visible(alone)));
      });
  });
}

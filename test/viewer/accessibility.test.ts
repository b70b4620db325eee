import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fillPage, readPage } from "./fill-page.ts";
import { type Browsing, startBrowsing } from "./open-page.ts";
import { sampleReport } from "./sample-report.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let browsing: Browsing;
beforeAll(async () => {
  browsing = await startBrowsing();
});
afterAll(() => browsing.close());

const redacted = () => fillPage(sampleReport());
const withContent = () => fillPage(sampleReport({ includesContent: true }));
const empty = () => fillPage({ ...sampleReport({ sessions: 0 }), loops: [] });
const PAGES: readonly (readonly [title: string, html: () => string, hash: string])[] = [
  ["the overview", redacted, "#/"],
  ["an overview without loops", empty, "#/"],
  ["a run", redacted, "#/run/s0001"],
  ["a step that added nothing", redacted, "#/run/s0001/34"],
  ["a run with content", withContent, "#/run/s0003/7"],
  ["a run that is not there", redacted, "#/run/none"],
  ["the page without a report", readPage, ""],
];

describe.each(["light", "dark"] as const)("in %s colours", (colorScheme) => {
  for (const width of [1280, 390]) {
    it.each(PAGES)(`axe finds no violation in %s, ${width} wide`, async (_title, html, hash) => {
      const { page } = await browsing.open(html(), {
        hash,
        colorScheme,
        viewport: { width, height: 844 },
        bypassCSP: true,
      });
      await page.evaluate(axe);
      const violations = await page.evaluate(async () => {
        const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: AxeViolation[] }> } };
        return (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
      });

      expect(violations).toEqual([]);
      await page.context().close();
    });
  }

  it.each([390, 768, 1280])("nothing is wider than a screen of %i", async (width) => {
    for (const hash of ["#/", "#/run/s0001", "#/run/s0003/7"]) {
      const { page } = await browsing.open(withContent(), { hash, colorScheme, viewport: { width, height: 844 } });

      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      await page.context().close();
    }
  });
});

interface AxeViolation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

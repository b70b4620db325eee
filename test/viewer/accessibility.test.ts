import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LOOKS, violationsOf } from "./axe.ts";
import { fillPage, readPage } from "./fill-page.ts";
import { type Browsing, startBrowsing } from "./open-page.ts";
import { sampleReport } from "./sample-report.ts";

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

describe.each(LOOKS)("in $colorScheme colours, $width wide", ({ colorScheme, width }) => {
  it.each(PAGES)("axe finds no violation in %s", async (_title, html, hash) => {
    const viewport = { width, height: 844 };
    const { page } = await browsing.open(html(), { hash, colorScheme, viewport, bypassCSP: true });

    expect(await violationsOf(page)).toEqual([]);
    await page.context().close();
  });
});

it.each(["#/", "#/run/s0001", "#/run/s0003/7"])("nothing is wider than the screen, at %s", async (hash) => {
  const { page } = await browsing.open(withContent(), { hash });
  for (const width of [390, 768, 1280]) {
    await page.setViewportSize({ width, height: 844 });

    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await page.context().close();
});

import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Report } from "../../packages/doomloop/src/scan/report/report.ts";
import { fillPage } from "./fill-page.ts";
import { HOSTILE_PAYLOADS } from "./hostile-payloads.ts";
import { hostileReport } from "./hostile-report.ts";
import { type Browsing, startBrowsing } from "./open-page.ts";
import { sampleReport } from "./sample-report.ts";

let browsing: Browsing;
beforeAll(async () => {
  browsing = await startBrowsing();
});
afterAll(() => browsing.close());

/** Saves the picture of a run: the file's name and text, and what the page complained of. */
async function save(report: Report, id: string) {
  const { page, faults } = await browsing.open(fillPage(report), { hash: `#/run/${id}`, acceptDownloads: true });
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: /^SVG/ }).click(),
  ]);
  return { page, faults, name: download.suggestedFilename(), svg: readFileSync(await download.path(), "utf8") };
}

/** The names of the elements as a parser of XML finds them, with "parsererror" if it is no XML. The page's own policy forbids parsing, so go to another one first. */
const elementsIn = (page: Page, svg: string) =>
  page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
    return [...new Set([...parsed.querySelectorAll("*")].map(({ localName }) => localName))].sort();
  }, svg);

const OWN_ELEMENTS = ["defs", "pattern", "rect", "svg", "text", "title"];

describe("the picture of a run", () => {
  it("is saved as an SVG that names what repeated", async () => {
    const { page, faults, name, svg } = await save(sampleReport(), "s0001");

    expect(name).toBe("doomloop-s0001.svg");
    expect(svg).toContain("went in circles for 29 of 40 calls");
    expect(svg).toContain("npm run typecheck");
    expect(faults).toEqual([]);
    await page.goto("about:blank");
    expect(await elementsIn(page, svg)).toEqual(OWN_ELEMENTS);
  });

  it("is saved as a PNG of twice its size, for a chat", async () => {
    const { page, faults, requests } = await browsing.open(fillPage(sampleReport()), {
      hash: "#/run/s0001",
      acceptDownloads: true,
    });
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: /^PNG/ }).click(),
    ]);
    const png = readFileSync(await download.path());

    expect(download.suggestedFilename()).toBe("doomloop-s0001.png");
    expect(png.subarray(1, 4).toString("latin1")).toBe("PNG");
    expect(png.readUInt32BE(16)).toBe(1920);
    expect(png.length).toBeGreaterThan(10_000);
    expect([...faults, ...requests.filter((address) => !address.startsWith("data:"))]).toEqual([]);
  });

  it("is well-formed and has no element but its own, whatever the report holds", async () => {
    const { page, faults, svg } = await save(hostileReport(HOSTILE_PAYLOADS, true), "everything");

    expect(faults).toEqual([]);
    await page.goto("about:blank");
    expect((await elementsIn(page, svg)).filter((name) => !OWN_ELEMENTS.includes(name))).toEqual([]);
  });
});

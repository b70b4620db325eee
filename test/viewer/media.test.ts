import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fillPage } from "./fill-page.ts";
import { type Browsing, startBrowsing } from "./open-page.ts";
import { sampleReport } from "./sample-report.ts";

let browsing: Browsing;
beforeAll(async () => {
  browsing = await startBrowsing();
});
afterAll(() => browsing.close());

/** How the two calls of the first loop look in the ribbon, and a call of none. */
const looks = (page: Page) =>
  page.evaluate(() =>
    ["colour-0", "colour-1", "colour-neutral"].map((colour) => {
      const style = getComputedStyle(document.querySelector(`.ribbon-slice.${colour}`)!);
      return {
        fill: style.backgroundColor,
        pattern: style.backgroundImage.split("(")[0],
        outline: style.borderTopWidth,
        isPrinted: style.printColorAdjust === "exact",
      };
    }),
  );

describe("the ribbon", () => {
  it.each(["light", "dark"] as const)("stays on paper, whatever the colours of the screen: %s", async (colorScheme) => {
    const { page } = await browsing.open(fillPage(sampleReport()), { hash: "#/run/s0001", colorScheme });
    await page.emulateMedia({ media: "print", colorScheme });
    const [first, second, neutral] = await looks(page);

    expect(first).toEqual({ fill: "rgb(213, 94, 0)", pattern: "none", outline: "1px", isPrinted: true });
    expect(second).toMatchObject({ pattern: "repeating-linear-gradient", outline: "1px", isPrinted: true });
    expect(neutral).toMatchObject({ fill: "rgb(237, 237, 232)", pattern: "none", outline: "0px" });
    const steps = page.locator(".picture-steps");
    expect(await steps.evaluate((element) => getComputedStyle(element).maxHeight)).toBe("none");
    expect(await page.getByRole("button").count()).toBe(
      await page.locator(".tile:visible, button.link:visible").count(),
    );
  });

  it("stays where the system forces its colours", async () => {
    const { page } = await browsing.open(fillPage(sampleReport()), { hash: "#/run/s0001", forcedColors: "active" });
    const [first, second, neutral] = await looks(page);

    expect(first).toMatchObject({ fill: "rgb(213, 94, 0)", pattern: "none", outline: "1px" });
    expect(second).toMatchObject({ fill: "rgb(86, 180, 233)", pattern: "repeating-linear-gradient", outline: "1px" });
    expect(neutral!.fill).not.toBe(first!.fill);
    const chosen = page.locator(".segments input:checked + span");
    const other = page.locator(".segments input:not(:checked) + span").first();
    const background = (element: Element) => getComputedStyle(element).backgroundColor;
    expect(await chosen.evaluate(background)).not.toBe(await other.evaluate(background));
  });
});

describe("a run's page", () => {
  it("says what to do about its own loops, and no others", async () => {
    const report = sampleReport();
    const loops = report.loops.map((loop) => (loop.session === "s0001" ? loop : { ...loop, cause: "impatient" }));
    const { page } = await browsing.open(fillPage({ ...report, loops }), { hash: "#/run/s0001" });

    expect(await page.locator(".advice li").count()).toBe(1);
    expect(await page.locator(".advice li").textContent()).toContain("Do not run a failing test or build again");
    expect(await page.getByRole("button", { name: "Copy for AGENTS.md" }).count()).toBe(1);
  });
});

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

const lines = (page: Page) => page.locator("tbody tr").count();
const step = (page: Page) => page.locator(".detail .note").first().textContent();

describe("a run", () => {
  it("opens from the table, and back leads to the table as it was", async () => {
    const { page } = await browsing.open(fillPage(sampleReport()));
    await page.getByLabel("Search").fill("pytest parser");
    const before = await lines(page);
    await page.locator("tbody a").first().click();

    await expect.poll(() => page.locator(":focus").textContent()).toMatch(/went in circles for \d+ of 17 calls/);
    expect(await page.locator(".detail").textContent()).toContain("Here the guard would have nudged");
    await page.keyboard.press("Tab");
    await page.goBack();
    expect(await page.getByLabel("Search").inputValue()).toBe("pytest parser");
    await expect.poll(() => lines(page)).toBe(before);
  });

  it("shows equal steps with one letter, colours and brackets for loops only, the numbers of calls, and the guard's marks", async () => {
    const { page } = await browsing.open(fillPage(sampleReport()), { hash: "#/run/s0001" });
    const tiles = page.locator(".tile");
    const words = await tiles.evaluateAll((all) => all.map((tile) => tile.getAttribute("aria-label") ?? ""));

    expect(words[10]).toBe("Call 11: Read cart.ts, step A, in loop 1");
    expect(words[15]).toBe(
      "Call 16: npm run typecheck, step B, failed, same outcome as before, in loop 1, the guard would have nudged here",
    );
    const colours = await tiles.evaluateAll((all) => all.map((tile) => getComputedStyle(tile).backgroundColor));
    expect(new Set([12, 14, 16, 30].map((call) => colours[call]))).toEqual(new Set([colours[10]]));
    expect(colours[11]).not.toBe(colours[10]);
    expect(new Set([0, 1, 6, 32].map((call) => colours[call])).size).toBe(1);
    expect(colours[0]).not.toBe(colours[10]);
    const numbers = await tiles.evaluateAll((all) => all.map((tile) => getComputedStyle(tile, "::after").content));
    expect(numbers).toEqual(words.map((_, at) => `"${at + 1}"`));
    expect(await page.locator(".bracket.is-start").count()).toBe(2);
    expect(await page.locator(".bracket.is-end").count()).toBe(2);
    expect(await page.locator(".strip .mark").count()).toBe(3);
  });

  it("counts the calls of a turn only where a turn is made of calls", async () => {
    const report = sampleReport();
    const [first, second] = ["call-cycle", "repeated-text"].map((kind) => ({
      ...report,
      loops: report.loops.map((loop) => ({ ...loop, kind, period: 132 })),
    }));

    const cycle = await browsing.open(fillPage(first!), { hash: "#/run/s0001" });
    expect(await cycle.page.locator(".loop-card").first().textContent()).toContain("Each lap has 132 calls.");
    const text = await browsing.open(fillPage(second!), { hash: "#/run/s0001" });
    expect(await text.page.locator(".loop-card").first().textContent()).not.toContain("Each lap has");
  });

  it("is stopped once: nothing is marked after that, in any of its loops", async () => {
    const report = sampleReport();
    const again = { call: 24, action: "stop" as const };
    const loops = report.loops.map((loop) => ({ ...loop, decisions: [...loop.decisions, again] }));
    const { page } = await browsing.open(fillPage({ ...report, loops }), { hash: "#/run/s0001" });

    expect(await page.locator(".hero-stop").textContent()).toContain(
      "The guard would have stopped it at call 22. It went on for 18 calls, as recorded.",
    );
    expect(await page.locator(".ribbon-stop").textContent()).toBe("stopped at call 22");
    expect(await page.locator(".strip .mark").allTextContents()).toEqual(["▲", "■", "✕"]);
    expect(await page.locator(".loop-card").last().textContent()).toContain(
      "The guard would have stopped the run before, at call 22.",
    );
    expect(await page.locator(".ribbon-after").count()).toBe(1);
  });

  it("is gone through with the keyboard, and the address keeps up", async () => {
    const { page } = await browsing.open(fillPage(sampleReport()), { hash: "#/run/s0001/13" });
    expect(await step(page)).toContain("Call 13 of 40");
    await page.locator(".tile[aria-current]").focus();

    await page.keyboard.press("ArrowRight");
    expect(await step(page)).toContain("Call 14 of 40");
    await page.keyboard.press("Shift+ArrowRight");
    expect(await step(page)).toContain("Call 16 of 40");
    expect(await page.locator(".detail").textContent()).toContain("Here the guard would have nudged");
    await page.keyboard.press("Shift+ArrowLeft");
    expect(await step(page)).toContain("Call 14 of 40");
    await page.keyboard.press("End");
    expect(await step(page)).toContain("Call 40 of 40");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    const row = await page.locator(".tile").evaluateAll((tiles) => {
      const tops = tiles.map((tile) => tile.getBoundingClientRect().top);
      return tops.findIndex((top) => top !== tops[0]);
    });
    expect(await step(page)).toContain(`Call ${row + 1} of 40`);
    expect(await page.locator(":focus").getAttribute("aria-current")).toBe("step");
    await page.waitForFunction((end) => location.hash === end, `#/run/s0001/${row + 1}`);
  });

  it("follows its own links, even back to the call that the address began with", async () => {
    const { page } = await browsing.open(fillPage(sampleReport()), { hash: "#/run/s0001/16" });
    await page.locator(".tile").nth(3).click();
    expect(await step(page)).toContain("Call 4 of 40");
    await page.waitForFunction(() => location.hash === "#/run/s0001/4");
    await page.getByRole("link", { name: "would have nudged at call 16" }).click();

    await expect.poll(() => step(page)).toContain("Call 16 of 40");
  });

  it("keeps the marks of the chosen step clear of its ring", async () => {
    const { page } = await browsing.open(fillPage(sampleReport()), { hash: "#/run/s0001/16" });
    const cell = page.locator(".cell").filter({ has: page.locator("[aria-current]") });
    const [mark, tile] = [await cell.locator(".mark").boundingBox(), await cell.locator(".tile").boundingBox()];

    expect(mark!.y + mark!.height).toBeLessThanOrEqual(tile!.y - 5);
    const bracket = await cell.locator(".brackets").boundingBox();
    expect(mark!.y).toBeGreaterThanOrEqual(bracket!.y + bracket!.height);
  });

  it("keeps marks and numbers apart on a phone, however close they are", async () => {
    const report = sampleReport();
    const worst = report.loops.find(({ session }) => session === "s0001")!;
    const close = [12, 15, 18, 21].map((onset, at) => ({
      ...{ ...worst, id: `s0001-${at + 1}`, onset, end: onset + 2, calls: [[onset, onset + 2]] as const },
      decisions: (["nudge", "block", "restart"] as const).map((action) => ({ action, call: onset + 1 })),
    }));
    const loops = [...report.loops.filter(({ session }) => session !== "s0001"), ...close];
    const runs = { ...report.runs, s0001: { ...report.runs.s0001!, total: 400 } };
    const { page } = await browsing.open(fillPage({ ...report, loops, runs }), {
      ...{ hash: "#/run/s0001", viewport: { width: 390, height: 844 } },
    });
    const boxes = await page
      .locator(".ribbon .badge, .ribbon .mark, .ribbon-stop")
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON() as DOMRect));

    expect(boxes.length).toBeGreaterThanOrEqual(4);
    for (const [at, one] of boxes.entries()) {
      expect(one.left).toBeGreaterThanOrEqual(0);
      expect(one.right).toBeLessThanOrEqual(390);
      for (const other of boxes.slice(at + 1)) {
        const isApart =
          one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top;
        expect(isApart, JSON.stringify([one, other])).toBe(true);
      }
    }
  });

  it("is used with a finger on a phone: the ribbon leads to its steps, and tiles are large enough", async () => {
    const { page } = await browsing.open(fillPage(sampleReport()), {
      ...{ hash: "#/run/s0001", viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    });
    const band = page.locator(".ribbon-band");
    const { width, height } = (await band.boundingBox())!;
    await band.tap({ position: { x: width * (38.5 / 40), y: height / 2 } });

    expect(await step(page)).toContain("Call 39 of 40");
    const tile = page.locator(".tile[aria-current]");
    expect((await tile.boundingBox())!.width).toBeGreaterThanOrEqual(40);
    const isSeen = await tile.evaluate((element) => {
      const frame = element.closest(".picture-steps")!.getBoundingClientRect();
      const { top, bottom } = element.getBoundingClientRect();
      return top >= frame.top && bottom <= frame.bottom;
    });
    expect(isSeen).toBe(true);
    await page.getByRole("link", { name: "All loops" }).tap();
    expect(await page.locator("tbody tr").first().locator(".phone").textContent()).toMatch(/\$.* after, \d+ calls/);
    expect(await page.locator("tbody tr").first().locator(".phone").isVisible()).toBe(true);
  });
});

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fillPage, readPage } from "./fill-page.ts";
import { type Browsing, startBrowsing } from "./open-page.ts";
import { sampleReport } from "./sample-report.ts";

let browsing: Browsing;
beforeAll(async () => {
  browsing = await startBrowsing();
});
afterAll(() => browsing.close());

const lines = (page: Page) => page.locator("tbody tr").count();
const step = (page: Page) => page.locator(".detail .note").first().textContent();

describe("the overview", () => {
  it("opens from disk, loads nothing and complains of nothing", async () => {
    const { page, requests, faults } = await browsing.open(fillPage(sampleReport()));

    expect(await page.locator("h1").textContent()).toBe("48 of 384 sessions went in circles");
    expect([...requests, ...faults]).toEqual([]);
  });

  it("says of a time that it is only the file's, in the table and on the run's page", async () => {
    const report = sampleReport();
    const fileTime = { startedAt: null, endedAt: "2026-10-03T10:00:00.000Z", isFileTime: true };
    const undated = {
      ...report,
      sessions: report.sessions.map((session) => ({ ...session, ...fileTime })),
      loops: report.loops.map((loop) => ({ ...loop, at: null })),
    };
    const { page } = await browsing.open(fillPage(undated));

    expect(await page.locator("td.column-when").first().textContent()).toMatch(/^3 Oct 2026.*the file's time$/);
    await page.locator("tbody td.column-what a").first().click();
    expect(await page.locator(".hero-facts").textContent()).toMatch(/ · file of 3 Oct 2026, \d\d:00 · /);
  });

  it("finds loops by words, in any order, and says how many", async () => {
    const { page } = await browsing.open(fillPage(sampleReport()));
    await page.getByLabel("Search").fill("KUBECTL codex");

    const whats = await page.locator("tbody td.column-what a").allTextContents();
    expect(new Set(whats)).toEqual(new Set(["shell kubectl"]));
    expect(await page.locator(".table-panel [role=status]").first().textContent()).toBe(`${whats.length} of 60 loops`);
  });

  it("narrows down by agent, kind and guard, and goes back to all", async () => {
    const { page } = await browsing.open(fillPage(sampleReport()));
    await page.getByLabel("Agent", { exact: true }).selectOption({ label: "openhands" });
    await page.getByLabel("Kind", { exact: true }).selectOption({ label: "Fixes without effect" });

    expect(await lines(page)).toBe(4);
    await page.getByRole("button", { name: "Show all loops" }).click();
    expect(await lines(page)).toBe(50);
  });

  it("narrows the table down by a bar and by a group, with the keyboard too", async () => {
    const { page } = await browsing.open(fillPage(sampleReport()));
    await page.locator(".bar").nth(9).focus();
    await page.keyboard.press("Enter");

    expect(await lines(page)).toBe(5);
    expect(await page.locator(":focus").textContent()).toBe("Loops");
    await page.getByRole("button", { name: /^parser/ }).click();
    expect(await page.locator("td.column-agent .note").allTextContents()).toEqual(Array(8).fill("parser"));
  });

  it("sorts by a heading, and the other way round by the same again", async () => {
    const { page } = await browsing.open(fillPage(sampleReport()));
    const heading = page.getByRole("columnheader", { name: "Times" });
    const first = () => page.locator("tbody td.column-times").first().textContent();

    await heading.getByRole("button").click();
    expect([await heading.getAttribute("aria-sort"), await first()]).toEqual(["descending", "14"]);
    await heading.getByRole("button").click();
    expect([await heading.getAttribute("aria-sort"), await first()]).toEqual(["ascending", "6"]);
  });

  it("shows ranges as ranges, estimates with about, and tokens where the price is unknown, never nothing", async () => {
    const { page } = await browsing.open(fillPage(sampleReport()));
    await page.getByLabel("Agent", { exact: true }).selectOption({ label: "opencode" });
    const unpriced = await page.locator("td.column-spent").allTextContents();
    const all = (await page.locator("body").textContent()) ?? "";

    expect(unpriced.length).toBe(8);
    for (const spent of unpriced) expect(spent).toMatch(/tokens/);
    expect(all).toMatch(/about \$\d+\.\d\d to \$\d+\.\d\d/);
    expect(all).not.toMatch(/\$0(?!\.\d*[1-9])/);
  });

  it("says so where there is no loop, no report, or one that it cannot read", async () => {
    const none = await browsing.open(fillPage({ ...sampleReport({ sessions: 0 }), loops: [] }));
    expect(await none.page.locator("h1").textContent()).toBe("No loops in 0 sessions");
    const empty = await browsing.open(readPage());
    expect(await empty.page.locator("main, .notice").first().textContent()).toContain("holds no report yet");
    const newer = await browsing.open(fillPage({ ...sampleReport(), version: 2 as 1 }));
    expect(await newer.page.locator(".notice").textContent()).toContain("version that this page does not know");
    const broken = await browsing.open(fillPage({ ...sampleReport(), totals: { loops: 1 } as never }));
    expect(await broken.page.locator("h1").textContent()).toBe("This part of the report cannot be shown");
  });

  it("follows the system's colours until the reader chooses, and remembers", async () => {
    const { page } = await browsing.open(fillPage(sampleReport()), { colorScheme: "dark" });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await ground();
    await page.getByRole("button", { name: "Light colours" }).click();
    const light = await ground();
    await page.reload();

    expect(dark).not.toBe(light);
    expect(await ground()).toBe(light);
  });
});

describe("a run", () => {
  it("opens from the table, and back leads to the table as it was", async () => {
    const { page } = await browsing.open(fillPage(sampleReport()));
    await page.getByLabel("Search").fill("pytest parser");
    const before = await lines(page);
    await page.locator("tbody a").first().click();

    expect(await page.locator(":focus").textContent()).toMatch(/of 17 calls went in circles/);
    expect(await page.locator(".detail").textContent()).toContain("Here the guard would have nudged");
    await page.keyboard.press("Tab");
    await page.goBack();
    expect(await page.getByLabel("Search").inputValue()).toBe("pytest parser");
    expect(await lines(page)).toBe(before);
  });

  it("shows equal steps with one letter and colour, the loops in brackets, and the guard's marks", async () => {
    const { page } = await browsing.open(fillPage(sampleReport()), { hash: "#/run/s0001" });
    const tiles = page.locator(".tile");
    const words = await tiles.evaluateAll((all) => all.map((tile) => tile.getAttribute("aria-label") ?? ""));

    expect(words[10]).toBe("Call 11: Read cart.ts, step B, in loop 1");
    expect(words[15]).toBe(
      "Call 16: Bash npm run typecheck, step A, failed, same outcome as before, in loop 1, the guard would have nudged here",
    );
    const colours = await tiles.evaluateAll((all) => all.map((tile) => getComputedStyle(tile).backgroundColor));
    expect(new Set([12, 14, 16, 30].map((call) => colours[call]))).toEqual(new Set([colours[10]]));
    expect(colours[11]).not.toBe(colours[10]);
    expect(await page.locator(".bracket.is-start").count()).toBe(2);
    expect(await page.locator(".bracket.is-end").count()).toBe(2);
    expect(await page.locator(".strip .mark").count()).toBe(6);
  });

  it("says of a step why it was not counted as a repeat, on the tile and in full", async () => {
    const { page } = await browsing.open(fillPage(sampleReport()), { hash: "#/run/s0001/34" });
    const detail = page.locator(".detail");

    expect(await page.locator(".tile").nth(33).getAttribute("aria-label")).toBe(
      "Call 34: Bash npm run typecheck, step A, failed, same outcome as before, " +
        "not counted as a repeat: something was changed in between, in loop 2",
    );
    const titles = await page
      .locator(".tile-uncounted")
      .evaluateAll((all) => all.map((sign) => sign.getAttribute("title")));
    expect(titles).toEqual([
      "not counted as a repeat: something was changed in between",
      "not counted as a repeat: the user spoke in between",
    ]);
    expect(await detail.textContent()).toContain("Not counted as a repeat: something was changed in between.");
    expect(await detail.textContent()).not.toContain("nothing new was learned");
    expect(await page.locator(".tile:has(.tile-uncounted) .tile-barren").count()).toBe(0);
    await page.locator(".tile").nth(34).click();
    expect(await detail.textContent()).not.toContain("Not counted");
    expect(await detail.textContent()).toContain("nothing new was learned");
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

    expect(await step(page)).toContain("Call 16 of 40");
  });

  it("compares a step with its last time by hashes, and says that the report is redacted", async () => {
    const { page } = await browsing.open(fillPage(sampleReport()), { hash: "#/run/s0001/14" });
    const detail = (await page.locator(".detail").textContent()) ?? "";

    expect(detail).toContain(
      "The same call was made 2 calls before. The outcome is the same: nothing new was learned.",
    );
    expect(detail).toContain("This report is redacted");
    expect(await page.locator(".banner").count()).toBe(0);
    expect(await page.locator("pre").count()).toBe(0);
  });

  it("shows what differs where the report holds content, under a banner", async () => {
    const { page } = await browsing.open(fillPage(sampleReport({ includesContent: true })), { hash: "#/run/s0003/7" });

    expect(await page.locator(".banner").textContent()).toContain("This report holds content");
    expect(await page.locator(".line-removed mark").textContent()).toBe("4");
    expect(await page.locator(".line-added mark").textContent()).toBe("5");
    expect(await page.locator(".content").last().textContent()).toContain("the same, to the letter");
  });

  it("colours a loop of varied calls by their outcome", async () => {
    const { page } = await browsing.open(fillPage(sampleReport()), { hash: "#/run/s0003" });

    expect(await page.getByRole("radio", { name: "Outcome" }).isChecked()).toBe(true);
    await page.getByText("Call", { exact: true }).first().click();
    expect(await page.locator(".tile.colour-0").count()).toBe(0);
  });

  it("says what was cut, and what is not there", async () => {
    const report = sampleReport();
    const { steps } = report.runs.s0001!;
    const runs = { ...report.runs, s0001: { from: 8, total: 300, steps: [...steps.slice(8, 20), ...steps.slice(30)] } };
    const { page } = await browsing.open(fillPage({ ...report, runs }), { hash: "#/run/s0001" });

    expect(await page.locator(".gap").allTextContents()).toEqual([
      "8 calls not shown",
      "10 calls not shown",
      "260 calls not shown",
    ]);
    await page.goto(`${page.url().split("#")[0]}#/run/none`);
    await page.getByRole("heading", { name: "No such run in this report" }).waitFor();
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { adviceFor } from "../../packages/doomloop/src/scan/advice/advice.ts";
import type { Report } from "../../packages/doomloop/src/scan/report/report.ts";
import { fillPage, readPage } from "./fill-page.ts";
import { type Browsing, startBrowsing } from "./open-page.ts";
import { sampleReport } from "./sample-report.ts";

let browsing: Browsing;
beforeAll(async () => {
  browsing = await startBrowsing();
});
afterAll(() => browsing.close());

describe("the overview", () => {
  it("opens from disk, loads nothing and complains of nothing", async () => {
    const { page, requests, faults } = await browsing.open(fillPage(sampleReport()));

    expect(await page.locator("h1").textContent()).toBe(
      "The worst of 60 loops, about $2.08 to $3.21: Gemini CLI went through Read cart.ts, npm 11 times",
    );
    expect(await page.locator(".hero-lead").textContent()).toMatch(
      /^48 of 384 sessions went in circles\. About \$[\d.]+ to \$[\d.]+ of about \$[\d.]+ to \$[\d.]+, and [\d.]+K tokens without a price, were spent after doomloop would have stepped in\. 2 possible loops\.$/,
    );
    expect([...requests, ...faults]).toEqual([]);
  });

  it("begins with the worst run: a sentence, and its ribbon, which leads there", async () => {
    const { page } = await browsing.open(fillPage(sampleReport()));
    const worst = page.locator(".worst");

    expect(await worst.locator(".worst-words").textContent()).toBe(
      "11 times, calls 11 to 32. Gemini CLI spent about $2.08 to $3.21 after the guard would have nudged it at call 16.",
    );
    const tops = await page
      .locator(".worst, .cards, .table-panel, .chart")
      .evaluateAll((all) => all.map((part) => part.className.split(" ").at(-1)));
    expect(tops).toEqual(["worst", "cards", "table-panel", "chart"]);
    await worst.locator(".ribbon-band").click();
    // What a link leads to is drawn once the address has changed.
    await expect.poll(() => page.locator(":focus").textContent()).toBe("Gemini CLI went in circles for 29 of 40 calls");
  });

  it("says at its top that the scan was stopped", async () => {
    const { page } = await browsing.open(fillPage({ ...sampleReport(), stopped: { read: 3, files: 40 } }));

    expect(await page.locator(".hero-lead").textContent()).toMatch(
      /^48 of 384 sessions so far went in circles\. .*\. 2 possible loops\.$/,
    );
    expect(await page.locator(".banner").textContent()).toBe(
      "This report is not complete: the scan was stopped, 3 of 40 files read.",
    );
  });

  it("has advice to copy", async () => {
    const { page, faults } = await browsing.open(fillPage(sampleReport()));
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy for AGENTS.md" }).click();

    await expect.poll(() => page.locator(".copy [role=status]").textContent()).toBe("Copied");
    expect(await page.evaluate("navigator.clipboard.readText()")).toMatch(/^- Do not run a failing test/);
    expect(faults).toEqual([]);
  });

  it("shows the whole of what it lets copy", async () => {
    const tools = [..."abc"].map((letter) => `mcp__${letter.repeat(40)}`);
    const loops = tools.map((tool) => ({ cause: "faulty-call", tools: [tool], session: "a", count: 4 }));
    const { page } = await browsing.open(fillPage({ ...sampleReport(), advice: adviceFor(loops) }));

    expect(await page.locator(".advice blockquote").textContent()).toMatch(/c{40}`\.\)$/);
  });

  it("has something to say where there is no loop", async () => {
    const report = sampleReport();
    const totals = { ...report.totals, loops: 0, sessionsWithLoops: 0 };
    const { page, faults } = await browsing.open(fillPage({ ...report, totals, loops: [], runs: {} }));
    const possible = page.locator("section", { has: page.getByRole("heading", { name: "Possible loops" }) });

    expect(await page.locator("h1").textContent()).toBe("No loops in 384 sessions");
    expect(await page.locator(".repeats dt").allTextContents()).toEqual([
      "npm test, 9 times in session s0003",
      "Read cart.ts, 4 times in session s0004",
    ]);
    expect(await page.locator(".repeats dd").first().textContent()).toBe("mostly something was changed in between");
    expect(await possible.locator("li").count()).toBe(2);
    expect(await possible.locator("li .note").first().textContent()).toMatch(
      /, spent after: about \$[\d.]+ to \$[\d.]+, /,
    );
    expect(await page.locator(".hero-lead").textContent()).toMatch(
      /^[\d,]+ calls\. The sessions cost about \$[\d.,]+ to \$[\d.,]+(?:, without \d+ of unknown price)?\. 2 possible loops\.$/,
    );
    expect(await page.locator(".cards").count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it("shows reports of earlier versions, which name no repeated calls", async () => {
    const { repeated: _, ...earlier } = sampleReport();
    const { page, faults } = await browsing.open(fillPage({ ...earlier, loops: [], runs: {} } as unknown as Report));

    expect(await page.locator("h1").count()).toBe(1);
    expect(await page.locator(".repeats").count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it("draws the worst run also where the report holds no steps of it", async () => {
    const { page, faults } = await browsing.open(fillPage({ ...sampleReport(), runs: {} }));

    expect(await page.locator(".worst .ribbon-loop").count()).toBe(2);
    expect(faults).toEqual([]);
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
    await expect.poll(() => page.locator(".hero-facts").textContent()).toMatch(/ · file of 3 Oct 2026, \d\d:00 · /);
  });

  it("puts odd dates aside, so that they do not stretch the axis, and says how many", async () => {
    const report = sampleReport();
    const odd = ["0001-01-01T00:00:00Z", "2099-01-01T00:00:00Z", "2001-09-09T00:00:00Z"];
    const loops = report.loops.map((loop, at) => ({ ...loop, at: odd[at] ?? loop.at }));
    const { page } = await browsing.open(fillPage({ ...report, loops }));

    expect(await page.locator("section:has(.chart) .note").first().textContent()).toMatch(
      /^by day, without 3 loops with odd dates\./,
    );
    expect(await page.locator(".bar").count()).toBe(31);
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
    expect(await empty.page.locator("main, .notice").first().textContent()).toContain("has no report yet");
    const newer = await browsing.open(fillPage({ ...sampleReport(), version: 2 as 1 }));
    expect(await newer.page.locator(".notice").textContent()).toContain("cannot show this version");
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

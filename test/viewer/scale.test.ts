import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Report } from "../../packages/doomloop/src/scan/report/report.ts";
import { limitHere } from "../shortest-time.ts";
import { fillPage, readPage } from "./fill-page.ts";
import { type Browsing, startBrowsing } from "./open-page.ts";
import { sampleReport } from "./sample-report.ts";

const MAX_BYTES = 400_000;
/** What a page may take of the processor: a busy machine changes it little, and a slow one the limit. */
const MAX_OPEN_MS = limitHere(3_000);
const MAX_ANSWER_MS = limitHere(150);
/** A single answer may meet a collection of the page's heap, in which the whole report lies. */
const MAX_SLOWEST_MS = limitHere(1_000);

let browsing: Browsing;
beforeAll(async () => {
  browsing = await startBrowsing();
});
afterAll(() => browsing.close());

describe("the size of the page", () => {
  it("is at most 400 KB without data", () => {
    const bytes = Buffer.byteLength(readPage());
    process.stdout.write(`The page: ${bytes} bytes\n`);

    expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
  });

  it("keeps 10,000 loops usable: it opens, filters and sorts without a wait", async () => {
    const report = sampleReport({ sessions: 8_000 });
    expect(report.loops.length).toBe(10_000);
    const html = fillPage(report);
    const { page, faults } = await browsing.open(html);
    const { first, shown } = await page.evaluate(() => ({
      first: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
      shown: performance.now(),
    }));
    const busy = await busyTime(page);
    const opening = await busy();

    const typing: number[] = [];
    await page.getByLabel("Search").focus();
    for (const letter of "kubectl orders") typing.push(await during(busy, () => page.keyboard.type(letter)));
    const sorting = await during(busy, () => page.getByRole("button", { name: "What repeated" }).click());
    process.stdout.write(
      `10,000 loops, ${(html.length / 1e6).toFixed(1)} MB: first paint after ${first.toFixed(0)} ms, all shown after ${shown.toFixed(0)} ms ` +
        `(${opening.toFixed(0)} ms of processor), a letter ${median(typing).toFixed(0)} ms, the slowest ${Math.max(...typing).toFixed(0)} ms, sort ${sorting.toFixed(0)} ms\n`,
    );

    expect(await page.locator(".table-panel [role=status]").first().textContent()).toMatch(/^[\d,]+ of 10,000 loops$/);
    expect(await page.locator("tbody tr").count()).toBe(50);
    expect(opening).toBeLessThan(MAX_OPEN_MS);
    expect(median(typing)).toBeLessThan(MAX_ANSWER_MS);
    expect(Math.max(...typing, sorting)).toBeLessThan(MAX_SLOWEST_MS);
    expect(faults).toEqual([]);
  });

  it("keeps a run of 3,000 steps usable", async () => {
    const { page } = await browsing.open(fillPage(longRun(sampleReport())), { hash: "#/run/s0001/11" });
    await page.locator(".tile[aria-current]").focus();
    const busy = await busyTime(page);
    const keys = await during(busy, async () => {
      for (let turn = 0; turn < 20; turn++) await page.keyboard.press("ArrowRight");
    });
    process.stdout.write(`3,000 steps: ${(keys / 20).toFixed(0)} ms a key\n`);

    expect(await page.locator(".detail .note").first().textContent()).toContain("Call 31 of 3,000");
    expect(keys / 20).toBeLessThan(MAX_ANSWER_MS);
  });
});

/** The first run of a report, seventy-five times as long. */
function longRun(report: Report): Report {
  const { steps } = report.runs.s0001!;
  const laps = Array.from({ length: 75 }, (_, lap) => steps.map((step) => ({ ...step, call: step.call + lap * 40 })));
  return { ...report, runs: { ...report.runs, s0001: { from: 1, total: 3_000, steps: laps.flat() } } };
}

/** How long the page's process has kept a processor busy so far, in milliseconds, what it drew last included. */
async function busyTime(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    const { metrics } = await session.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "ProcessTime")?.value ?? Number.NaN) * 1000;
  };
}

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)]!;
}

async function during(busy: () => Promise<number>, action: () => Promise<void>): Promise<number> {
  const before = await busy();
  await action();
  return (await busy()) - before;
}

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fillPage } from "./fill-page.ts";
import { type Browsing, startBrowsing } from "./open-page.ts";
import { sampleReport } from "./sample-report.ts";

let browsing: Browsing;
beforeAll(async () => {
  browsing = await startBrowsing();
});
afterAll(() => browsing.close());

describe("a step of a run", () => {
  it("says of a step why it added nothing to the evidence, on the tile and in full", async () => {
    const { page } = await browsing.open(fillPage(sampleReport()), { hash: "#/run/s0001/34" });
    const detail = page.locator(".detail");

    expect(await page.locator(".tile").nth(33).getAttribute("aria-label")).toBe(
      "Call 34: npm run typecheck, step B, failed, same outcome as before, " +
        "adds nothing: something was changed in between, in loop 2",
    );
    const titles = await page
      .locator(".tile-uncounted")
      .evaluateAll((all) => all.map((sign) => sign.getAttribute("title")));
    expect(titles).toEqual([
      "adds nothing: something was changed in between",
      "adds nothing: the user said something in between",
    ]);
    expect(await detail.textContent()).toContain("Adds nothing: something was changed in between.");
    expect(await detail.textContent()).not.toContain("nothing new was learned");
    expect(await page.locator(".tile:has(.tile-uncounted) .tile-barren").count()).toBe(0);
    await page.locator(".tile").nth(34).click();
    expect(await detail.textContent()).not.toContain("Adds nothing");
    expect(await detail.textContent()).toContain("nothing new was learned");
  });

  it("compares a step with its last time in words, and says that the report is redacted", async () => {
    const { page } = await browsing.open(fillPage(sampleReport()), { hash: "#/run/s0001/14" });
    const detail = (await page.locator(".detail").textContent()) ?? "";

    expect(detail).toContain(
      "The same call was made 2 calls earlier. The outcome is the same: nothing new was learned.",
    );
    expect(detail).toContain("This report is redacted");
    expect(detail).not.toMatch(/[0-9a-f]{8}/);
    expect(await page.locator(".banner").count()).toBe(0);
    expect(await page.locator("pre").count()).toBe(0);
  });

  it("shows what differs where the report holds content, under a banner", async () => {
    const { page } = await browsing.open(fillPage(sampleReport({ includesContent: true })), { hash: "#/run/s0003/7" });

    expect(await page.locator(".banner").textContent()).toContain("This report includes content");
    expect(await page.locator(".line-removed mark").textContent()).toBe("4");
    expect(await page.locator(".line-added mark").textContent()).toBe("5");
    expect(await page.locator(".content").last().textContent()).toContain("exactly the same");
  });

  it("compares two calls field by field, what differs first", async () => {
    const report = sampleReport({ includesContent: true });
    const { steps } = report.runs.s0003!;
    const long = "x".repeat(1_500);
    const asked = (call: number) => JSON.stringify({ path: "a.ts", query: `${long}limit ${call}`, [`f${call}`]: true });
    const run = { ...report.runs.s0003!, steps: steps.map((step) => ({ ...step, arguments: asked(step.call) })) };
    const { page } = await browsing.open(fillPage({ ...report, runs: { ...report.runs, s0003: run } }), {
      hash: "#/run/s0003/7",
    });
    const fields = page.locator(".field");

    expect(await fields.locator("dt").allTextContents()).toEqual(["query changed", "f7 new", "f6 gone", "path "]);
    expect(await fields.first().locator("mark").allTextContents()).toEqual(["6", "7"]);
    expect((await fields.first().locator("pre").textContent())?.length).toBeLessThan(300);
    expect(await fields.last().locator("pre").textContent()).toBe("a.ts");
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
    const runs = { ...report.runs, s0001: { from: 9, total: 300, steps: [...steps.slice(8, 20), ...steps.slice(30)] } };
    const { page } = await browsing.open(fillPage({ ...report, runs }), { hash: "#/run/s0001" });

    expect(await page.locator(".gap").allTextContents()).toEqual([
      "8 calls not shown",
      "10 calls not shown",
      "260 calls not shown",
    ]);
    const nudges = Array.from({ length: 25 }, (_, at) => ({ call: 12 + at, action: "nudge" as const }));
    const loops = report.loops.map((loop) => ({ ...loop, decisions: nudges, decided: 470 }));
    const cut = await browsing.open(fillPage({ ...report, loops }), { hash: "#/run/s0001" });
    expect(await cut.page.locator(".decisions").first().textContent()).toMatch(/at call 31and 450 more times$/);
    await page.goto(`${page.url().split("#")[0]}#/run/none`);
    await page.getByRole("heading", { name: "No such run in this report" }).waitFor();
  });
});

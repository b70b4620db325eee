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

describe("the table of loops", () => {
  it("finds loops by words, in any order, and says how many", async () => {
    const { page } = await browsing.open(fillPage(sampleReport()));
    await page.getByLabel("Search").fill("KUBECTL codex");

    const whats = await page.locator("tbody td.column-what a").allTextContents();
    expect(new Set(whats)).toEqual(new Set(["shell kubectl"]));
    expect(await page.locator(".table-panel [role=status]").first().textContent()).toBe(`${whats.length} of 60 loops`);
  });

  it("narrows down by agent, kind and guard, and goes back to all", async () => {
    const { page } = await browsing.open(fillPage(sampleReport()));
    await page.getByLabel("Agent", { exact: true }).selectOption({ label: "OpenHands" });
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

  it("keeps what was narrowed down in the address, for a reload, for others, and for the way back", async () => {
    const html = fillPage(sampleReport());
    const { page } = await browsing.open(html);
    await page.getByLabel("Search").fill("typecheck");
    await page.getByLabel("Search").fill("bash npm");
    await page.getByLabel("Kind", { exact: true }).selectOption({ label: "Same call again" });
    await page.getByRole("columnheader", { name: "Times" }).getByRole("button").click();
    const hash = "#/?text=bash+npm&kind=repeated-call&sort=times-down";
    const shown = await lines(page);

    expect(await page.evaluate(() => location.hash)).toBe(hash);
    await page.reload();
    expect([await page.getByLabel("Search").inputValue(), await lines(page)]).toEqual(["bash npm", shown]);
    await page.locator("tbody a").first().click();
    await page.locator(".strip").waitFor();
    await page.getByRole("link", { name: "All loops" }).click();
    expect(await page.getByLabel("Kind", { exact: true }).inputValue()).not.toBe("-1");
    await page.goBack();
    await page.goBack();
    await expect.poll(() => page.evaluate(() => location.hash)).toBe(hash);
    await expect.poll(() => lines(page)).toBe(shown);
    const other = await browsing.open(html, { hash });
    expect([await other.page.getByLabel("Search").inputValue(), await lines(other.page)]).toEqual(["bash npm", shown]);
    await other.page.evaluate(() => {
      location.hash = "#/";
    });
    await expect.poll(() => lines(other.page)).toBe(50);
  });

  it("counts a tool once, whatever its spellings, and finds the loops of all of them", async () => {
    const report = sampleReport();
    const { page } = await browsing.open(fillPage(report));
    const tools = page.locator(".breakdown").filter({ has: page.getByRole("heading", { name: "Tools" }) });
    const names = await tools.locator(".group-name").allTextContents();

    expect(names.filter((name) => name.toLowerCase() === "bash")).toEqual(["Bash"]);
    await tools.getByRole("button", { name: /^Bash/ }).click();
    const either = report.loops.filter((loop) => loop.tools.some((tool) => tool.toLowerCase() === "bash"));
    expect(await page.locator(".table-panel [role=status]").first().textContent()).toBe(`${either.length} of 60 loops`);
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
});

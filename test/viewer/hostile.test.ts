import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fillPage as fillPageOfScan } from "../../packages/doomloop/src/cli/reporters/scan-page.ts";
import { fillPage, readPage } from "./fill-page.ts";
import { HOSTILE_PAYLOADS } from "./hostile-payloads.ts";
import { hostileReport } from "./hostile-report.ts";
import { type Browsing, startBrowsing } from "./open-page.ts";

/** Elements that the page itself is made of. Anything else was made by a payload. */
const OWN_ELEMENTS = new Set(
  "a b bdi blockquote body button caption code dd div dl dt fieldset figcaption figure footer h1 h2 h3 h4 head header html i input label legend li main mark meta nav ol option p pre script search section select span strong style table tbody td th thead title tr ul".split(
    " ",
  ),
);

let browsing: Browsing;
beforeAll(async () => {
  browsing = await startBrowsing();
});
afterAll(() => browsing.close());

describe("the page with hostile texts in every field", () => {
  it.each([
    ["redacted", false],
    ["with content", true],
  ])("makes no element and asks for nothing, %s", async (_title, includesContent) => {
    const html = fillPage(hostileReport(HOSTILE_PAYLOADS, includesContent));
    const { page, requests, faults } = await browsing.open(html);

    expect(await strangersIn(page)).toEqual([]);
    const more = page.getByRole("button", { name: /^(First 100 of|All \d)/ });
    while ((await more.count()) > 0) await more.first().click();
    expect(await page.locator(".group").count()).toBeGreaterThan(HOSTILE_PAYLOADS.length / 2);
    const pages = Math.ceil((HOSTILE_PAYLOADS.length + 50) / 50);
    for (let turn = 1; turn < pages; turn++) {
      await page.getByRole("button", { name: "Next", exact: true }).click();
      expect(await strangersIn(page)).toEqual([]);
    }
    await page.goto(`${page.url().split("#")[0]}#/run/everything`);
    await page.getByRole("heading", { name: "The run, step by step" }).waitFor();
    expect(await page.locator(".tile").count()).toBe(HOSTILE_PAYLOADS.length);
    expect(await strangersIn(page)).toEqual([]);
    await page.locator(".tile").first().click();
    for (let turn = 1; turn < HOSTILE_PAYLOADS.length; turn++) await page.keyboard.press("ArrowRight");
    expect(await page.locator(".detail .note").first().textContent()).toContain(
      `Call ${HOSTILE_PAYLOADS.length} of ${HOSTILE_PAYLOADS.length}`,
    );
    expect(await strangersIn(page)).toEqual([]);

    expect(requests).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("shows the run of every payload, by a link that leads to it", async () => {
    const payloads = HOSTILE_PAYLOADS.filter((text) => text !== "");
    const { page, requests, faults } = await browsing.open(fillPage(hostileReport(HOSTILE_PAYLOADS, true)));

    const wrong = await page.evaluate(async (ids) => {
      const failed: string[] = [];
      for (const id of ids) {
        location.hash = `#/run/${encodeURIComponent(id.toWellFormed())}`;
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        if (document.querySelectorAll(".tile").length !== 3) failed.push(id);
      }
      return failed;
    }, payloads);

    expect(wrong).toEqual([]);
    expect(await strangersIn(page)).toEqual([]);
    expect(requests).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("is as safe as the scan fills it", async () => {
    const html = fillPageOfScan(readPage(), hostileReport(HOSTILE_PAYLOADS, true));
    const { page, requests, faults } = await browsing.open(html);

    expect(await page.locator("tbody tr").count()).toBe(50);
    expect(await strangersIn(page)).toEqual([]);
    expect([...requests, ...faults]).toEqual([]);
    await page.context().close();
  });

  it("would notice an element that a payload makes", async () => {
    const { page } = await browsing.open(fillPage(hostileReport(["harmless"], false)));
    await page.evaluate(() => document.body.append(document.createElement("img")));

    expect(await strangersIn(page)).toEqual(["img"]);
    await page.context().close();
  });
});

describe("the policy of the page", () => {
  it("runs no script but its own, and turns no text into markup", async () => {
    const script = "<script>globalThis.pwned = 1</script>";
    const html = fillPage(hostileReport(["harmless"], false)).replace("</body>", () => `${script}</body>`);
    const { page } = await browsing.open(html);

    expect(await page.evaluate(() => "pwned" in globalThis)).toBe(false);
    const fault = await page.evaluate(() => {
      try {
        document.body.innerHTML = "<b>x</b>";
        return "none";
      } catch (thrown) {
        return String(thrown);
      }
    });
    expect(fault).toContain("TrustedHTML");
    await page.context().close();
  });

  it("lets nothing out", async () => {
    const { page } = await browsing.open(fillPage(hostileReport(["harmless"], false)));

    const answer = await page.evaluate(() => fetch("https://hostile.invalid/").then(() => "sent", String));
    expect(answer).toContain("TypeError");
    const violated = await page.evaluate(
      () =>
        new Promise<string>((done) => {
          document.addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective));
          fetch("https://hostile.invalid/").catch(() => {});
        }),
    );
    expect(violated).toBe("connect-src");
    await page.context().close();
  });
});

/** Elements, attributes and globals that are none of the page's own. */
async function strangersIn(page: Page): Promise<readonly string[]> {
  const found = await page.evaluate(() => {
    // Small pictures beside figures. Any other SVG was made by a payload.
    const PICTURES = ".share-bar, .time-split > svg, .day-chart";
    const SHAPES = ["svg", "rect", "line", "text", "title"];
    const strange: string[] = "pwned" in globalThis ? ["pwned"] : [];
    for (const element of document.querySelectorAll("*")) {
      const isPicture = element.closest("svg")?.matches(PICTURES) === true;
      strange.push(isPicture && SHAPES.includes(element.localName) ? "li" : element.localName);
      for (const { name, value } of element.attributes) {
        if (name.startsWith("on") || name === "src" || name === "srcdoc") strange.push(`@${name}`);
        if (name === "href" && !value.startsWith("#/")) strange.push(`href ${value}`);
      }
    }
    return strange;
  });
  const scripts = found.filter((name) => name === "script").length;
  return [...found.filter((name) => !OWN_ELEMENTS.has(name)), ...(scripts === 2 ? [] : [`${scripts} scripts`])];
}

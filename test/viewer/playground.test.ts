import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LOOKS, violationsOf } from "./axe.ts";
import { type Browsing, type OpenedPage, startBrowsing } from "./open-page.ts";

const root = resolve(import.meta.dirname, "../..");
const html = readFileSync(resolve(root, "docs/public/paste.html"), "utf8");
const samples = resolve(root, "packages/doomloop/assets/sample");
const session = readFileSync(resolve(samples, "claude-code/5f0c2a71-6d1e-4c55-9d0b-3a1f5be0c101.jsonl"), "utf8");
const rollout = readFileSync(resolve(samples, "codex/rollout-01997d1e-5b3c-7c02-8a44-2f6f0a9d5102.jsonl"), "utf8");

let browsing: Browsing;
let opened: OpenedPage;
beforeAll(async () => {
  browsing = await startBrowsing();
});
afterAll(() => browsing.close());

/** The page as somebody has it who loaded it and then went offline. */
async function openOffline(options: Parameters<Browsing["open"]>[1] = {}): Promise<Page> {
  opened = await browsing.open(html, options);
  await opened.page.context().setOffline(true);
  return opened.page;
}

/** Whatever a test did, the page asked for nothing and nothing went wrong. */
afterEach(async () => {
  expect(opened.requests).toEqual([]);
  expect(opened.faults).toEqual([]);
  await opened.page.context().close();
});

async function paste(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox").fill(text);
  await page.getByRole("button", { name: "Find loops" }).click();
}

/** What the page says about a text that it cannot read. */
async function faultOf(page: Page, text: string): Promise<string | null> {
  await paste(page, text);
  await page.locator("[role=alert] p").waitFor();
  return page.getByRole("alert").textContent();
}

const trace = (name: string, times: number): string =>
  JSON.stringify({
    run: name,
    events: Array.from({ length: times }, (_, at) => [
      { type: "call", id: `c${at}`, tool: "read_file", args: { path: "src/cart.ts" } },
      { type: "result", id: `c${at}`, output: "export const total = 1;" },
    ]).flat(),
  });

const messages = (times: number): string =>
  JSON.stringify(
    Array.from({ length: times }, (_, at) => [
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: `c${at}`, type: "function", function: { name: "search", arguments: '{"query":"rate limit"}' } },
        ],
      },
      { role: "tool", tool_call_id: `c${at}`, content: "no results" },
    ]).flat(),
    undefined,
    2,
  );

describe("the playground without a network", () => {
  it("shows the run of the sample, with its loops", async () => {
    const page = await openOffline();
    await page.getByRole("button", { name: "Try the sample" }).click();
    await page.getByRole("heading", { name: /went in circles for \d+ of \d+ calls/ }).waitFor();

    expect(await page.locator(".tile").count()).toBeGreaterThan(10);
    expect(await page.getByText("read as Claude Code").count()).toBe(1);
    expect(page.url()).toContain("#/run/");
  });

  it.each([
    ["a session of Claude Code", session, "Claude Code"],
    ["a rollout of Codex", rollout, "Codex CLI"],
    ["a list of messages over many lines", messages(12), "OpenAI messages"],
    ["a trace", trace("one", 12), "trace"],
  ])("finds the loop in %s", async (_title, text, format) => {
    const page = await openOffline();
    await paste(page, text);
    await page.getByRole("heading", { name: /went in circles/ }).waitFor();

    expect(await page.getByText(`read as ${format}`).count()).toBe(1);
  });

  it("shows the overview of several runs, and takes another text after it", async () => {
    const page = await openOffline();
    await paste(page, `${trace("one", 12)}\n${trace("two", 12)}\n${trace("three", 1)}`);
    await page.getByText("2 of 3 sessions went in circles.").waitFor();
    await page.getByRole("button", { name: "Paste another" }).click();
    await paste(page, trace("quiet", 1));

    await page.getByRole("heading", { name: "No loops in 1 session" }).waitFor();
  });

  it("reads a file that was chosen", async () => {
    const page = await openOffline();
    const file = { name: "rollout.jsonl", mimeType: "application/json", buffer: Buffer.from(rollout) };
    await page.locator("input[type=file]").setInputFiles(file);
    await page.getByRole("heading", { name: /went in circles/ }).waitFor();

    expect(await page.getByText("rollout.jsonl").count()).toBe(1);
  });

  it("reads a long text as soon as it is pasted, and says so meanwhile", async () => {
    const page = await openOffline();
    const text = Array.from({ length: 3000 }, (_, at) => trace(`run ${at}`, 3)).join("\n");
    expect(text.length).toBeGreaterThan(1_000_000);
    const said = await page.evaluate(async (pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", pasted);
      const status = document.querySelector("[role=status]")!;
      const words = new Set<string>();
      new MutationObserver(() => words.add(status.textContent ?? "")).observe(status, {
        ...{ childList: true, characterData: true, subtree: true },
      });
      const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
      document.querySelector("textarea")!.dispatchEvent(event);
      while (document.querySelector(".paste-bar") === null) await new Promise((done) => setTimeout(done, 10));
      return [...words];
    }, text);

    expect(said[0]).toMatch(/^Reading: \d+%$/);
    expect(said.length).toBeGreaterThan(1);
  });

  it("hides arguments and results until somebody asks for them", async () => {
    const secret = "ORCHID-4711";
    const page = await openOffline();
    await paste(page, trace("one", 12).replaceAll("export const total", secret));
    await page.locator(".tile").first().click();
    expect(await page.locator("body").textContent()).not.toContain(secret);

    await page.getByRole("checkbox", { name: "Show content" }).check();
    await page.locator(".banner").getByText("This report includes content").waitFor();
    await page.locator(".tile").first().click();
    expect(await page.locator("main").textContent()).toContain(secret);
  });

  it("makes no element of a hostile text", async () => {
    const page = await openOffline();
    const hostile = '<img src=x onerror="globalThis.pwned=1"><script>globalThis.pwned=1</script>';
    const text = trace(hostile, 12).replaceAll("src/cart.ts", JSON.stringify(hostile).slice(1, -1));
    await page.getByRole("checkbox").check();
    await paste(page, text);
    await page.locator(".tile").first().click();

    expect(await page.locator("img").count()).toBe(0);
    expect(await page.evaluate(() => "pwned" in globalThis)).toBe(false);
  });
});

describe("a text that is no transcript", () => {
  it.each([
    ["nothing", "  \n ", "There is nothing to read yet."],
    ["prose", "Dear diary, today I wrote no JSON.", "This is not a transcript."],
    ["other JSON", '{"name":"doomloop","version":"1.0.0"}', "This is JSON, but not a transcript"],
    ["JSON that ends too early", '{"name": [1, 2', "This is JSON, but not a transcript"],
    ["bytes", "\u001F\u0000\u0001", "This is not text."],
    ["a transcript without a call", '{"run":"x","events":[]}', "no call and no answer in it"],
  ])("gets plain words: %s", async (_title, text, words) => {
    const page = await openOffline();

    expect(await faultOf(page, text)).toContain(words);
  });

  it("is refused if it is too large, before it is read", async () => {
    const page = await openOffline();
    const file = { name: "large.jsonl", mimeType: "application/json", buffer: Buffer.alloc(20_000_001, " ") };
    await page.locator("input[type=file]").setInputFiles(file);
    await page.locator("[role=alert] p").waitFor();

    expect(await page.getByRole("alert").textContent()).toContain("up to 20 MB");
  });

  it("is read without its damaged lines, and they are counted", async () => {
    const page = await openOffline();
    await paste(page, `${trace("one", 12)}\n{"run": "cut o\nnonsense\n`);
    await page.getByRole("heading", { name: /went in circles/ }).waitFor();

    expect(await page.getByText("Skipped as damaged: 2 lines").count()).toBe(1);
  });
});

describe("the policy of the playground", () => {
  it("allows no connection, and the page shows it as it is", async () => {
    const page = await openOffline();
    const [, policy = ""] = /Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];

    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/connect-src|unsafe|https?:|\*/);
    expect((await page.locator("pre").textContent())?.replaceAll("\n", " ")).toBe(policy);
    // Chromium writes the refusal to the console as well: that one is expected.
    await page.evaluate(() => fetch("https://hostile.invalid/").catch(() => {}));
    await expect.poll(() => opened.faults.length).toBeGreaterThan(0);
    expect(opened.faults.filter((words) => !words.includes("Content Security Policy"))).toEqual([]);
    (opened.faults as string[]).length = 0;
    (opened.requests as string[]).length = 0;
  });
});

describe.each(LOOKS)("in $colorScheme colours, $width wide", ({ colorScheme, width }) => {
  it("axe finds no violation, and nothing is wider than the screen", async () => {
    const page = await openOffline({ colorScheme, viewport: { width, height: 844 }, bypassCSP: true });
    const look = async (): Promise<void> => {
      expect(await violationsOf(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    };
    await look();
    await faultOf(page, "nonsense");
    await look();
    await page.getByRole("button", { name: "Try the sample" }).click();
    await page.locator(".tile").first().waitFor();
    await look();
  });
});

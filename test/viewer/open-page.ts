import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

/** How long the browser may take for one thing, on whatever machine. */
const PATIENCE_MS = 120_000;
/** The one without windows opens a page in a third of the processor time. */
const usual = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];
const program = process.env.DOOMLOOP_CHROMIUM || (usual.find((path) => existsSync(path)) ?? usual[0]!);

export interface OpenedPage {
  readonly page: Page;
  /** Everything that the page asked for but itself. */
  readonly requests: readonly string[];
  /** Errors that nobody caught, and complaints on the console. */
  readonly faults: readonly string[];
}

export interface Browsing {
  /** Writes HTML to disk and opens it from there. */
  open(html: string, options?: BrowserContextOptions & { readonly hash?: string }): Promise<OpenedPage>;
  close(): Promise<void>;
}

/** Starts Chromium without its own traffic. Pages are opened from a folder that goes when it is closed. */
export async function startBrowsing(): Promise<Browsing> {
  if (!existsSync(program))
    throw new Error(`test/viewer: Chromium is required at ${program}; DOOMLOOP_CHROMIUM names another place`);
  const folder = mkdtempSync(join(tmpdir(), "doomloop-viewer-"));
  const browser: Browser = await chromium.launch({
    executablePath: program,
    timeout: PATIENCE_MS,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  let pages = 0;
  return {
    async open(html, { hash = "", ...options } = {}) {
      const context = await browser.newContext({
        timezoneId: "UTC",
        viewport: { width: 1280, height: 900 },
        ...options,
      });
      context.setDefaultTimeout(PATIENCE_MS);
      const page = await context.newPage();
      const file = join(folder, `page-${++pages}.html`);
      writeFileSync(file, html);
      const address = pathToFileURL(file).href;
      const requests: string[] = [];
      const faults: string[] = [];
      page.on("request", (request) => {
        if (request.url().split("#")[0] !== address) requests.push(request.url());
      });
      page.on("pageerror", (fault) => faults.push(String(fault)));
      page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
      });
      await page.goto(address + hash);
      await page.locator("h1").waitFor();
      return { page, requests, faults };
    },
    async close() {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fillPage } from "./fill-page.ts";
import { startBrowsing } from "./open-page.ts";
import { sampleReport } from "./sample-report.ts";

/** Takes pictures of the page into a folder, to be looked at: two widths, light and dark, overview and run. */
const [folder = "screenshots"] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

const browsing = await startBrowsing();
const pages = [
  { name: "overview", hash: "#/", html: fillPage(sampleReport()) },
  { name: "run", hash: "#/run/s0001/24", html: fillPage(sampleReport()) },
  { name: "uncounted", hash: "#/run/s0001/34", html: fillPage(sampleReport()) },
  { name: "content", hash: "#/run/s0001/13", html: fillPage(sampleReport({ includesContent: true })) },
  { name: "similar", hash: "#/run/s0003/7", html: fillPage(sampleReport({ includesContent: true })) },
];
try {
  for (const { name, hash, html } of pages) {
    for (const width of [1280, 390]) {
      for (const colorScheme of ["light", "dark"] as const) {
        const viewport = { width, height: width === 390 ? 844 : 900 };
        const { page, faults } = await browsing.open(html, { hash, viewport, colorScheme });
        await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
        await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}-screen.png`) });
        process.stdout.write(`${name} ${width} ${colorScheme} ${faults.join(" | ")}\n`);
        await page.context().close();
      }
    }
  }
} finally {
  await browsing.close();
}

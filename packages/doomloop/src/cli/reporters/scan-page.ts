import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Report } from "../../scan/report/report.ts";
import { packageFolder } from "../../system/package-folder.ts";

/** The report page, built as a single file. */
const PAGE = new URL("assets/report.html", packageFolder);
const ISLAND = /<script type="application\/json" id="doomloop-report">[^<]{0,200}<\/script>/;
const OPENING = '<script type="application/json" id="doomloop-report">';
const CLOSING = "</script>";

/** The report page with a report in it, as one file that works offline. */
export function scanPage(report: Report): string {
  return fillPage(readFileSync(PAGE, "utf8"), report);
}

/** Inserts a report into the page's JSON script element. Throws if the page has none. */
export function fillPage(page: string, report: Report): string {
  const island = ISLAND.exec(page);
  if (island === null) throw new Error("the report page has no place for the report");
  const before = page.slice(0, island.index);
  const after = page.slice(island.index + island[0].length);
  return `${before}${OPENING}${escapeJson(JSON.stringify(report))}${CLOSING}${after}`;
}

/** Escapes JSON for HTML, so that nothing in it can end the script element or begin a comment. */
function escapeJson(json: string): string {
  return json
    .replaceAll("<", "\\u003c")
    .replaceAll(">", "\\u003e")
    .replaceAll("&", "\\u0026")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}

const PROGRAMS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: "open", win32: "explorer.exe" };

/** Opens a file in the desktop's default program. Returns whether there is one. Never throws. */
export function openPage(path: string): Promise<boolean> {
  const child = spawn(PROGRAMS[process.platform] ?? "xdg-open", [path], { stdio: "ignore", detached: true });
  return new Promise((done) => {
    child.on("error", () => done(false));
    child.on("spawn", () => {
      child.unref();
      done(true);
    });
  });
}

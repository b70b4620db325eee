import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Report } from "../../scan/report/report.ts";
import { packageFolder } from "../../system/package-folder.ts";

const PROGRAMS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: "open", win32: "explorer.exe" };

/** The page, built into one file, that shows a report. */
const PAGE = new URL("assets/report.html", packageFolder);
const ISLAND = /<script type="application\/json" id="doomloop-report">[^<]{0,200}<\/script>/;
const OPENING = '<script type="application/json" id="doomloop-report">';
const CLOSING = "</script>";

/** The report page with a report in it: one file that needs no network. */
export function scanPage(report: Report): string {
  return fillPage(readFileSync(PAGE, "utf8"), report);
}

/** Puts a report into a page's JSON island. Throws if the page has none. */
export function fillPage(page: string, report: Report): string {
  const island = ISLAND.exec(page);
  if (island === null) throw new Error("the report page has no place for the report");
  const before = page.slice(0, island.index);
  const after = page.slice(island.index + island[0].length);
  return `${before}${OPENING}${escapeJson(JSON.stringify(report))}${CLOSING}${after}`;
}

/** JSON that no HTML parser takes for markup: nothing in it can end the element or begin a comment. */
function escapeJson(json: string): string {
  return json
    .replaceAll("<", "\\u003c")
    .replaceAll(">", "\\u003e")
    .replaceAll("&", "\\u0026")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}

/** Opens a file in the program that the desktop has for it. Returns whether there is such a program; never throws. */
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

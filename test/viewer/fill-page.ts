import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Report } from "../../packages/doomloop/src/scan/report/report.ts";

const template = resolve(import.meta.dirname, "../../packages/doomloop/assets/report.html");
const island = '<script type="application/json" id="doomloop-report"></script>';

/** The built page with a report in it. Nothing of the report can end the island: `<` is written as JSON's own escape. */
export function fillPage(report: Report): string {
  const json = JSON.stringify(report).replaceAll("<", "\\u003c");
  return readPage().replace(island, () => island.replace("></", () => `>${json}</`));
}

/** The built page as it is shipped, without a report. */
export function readPage(): string {
  return readFileSync(template, "utf8");
}

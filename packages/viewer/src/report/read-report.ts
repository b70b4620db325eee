import type { Report } from "../../../doomloop/src/scan/report/report.ts";

export type ReadReport = { readonly report: Report } | { readonly fault: string };

/** Reads the report from the text of the island, or says in plain words why it cannot. */
export function readReport(text: string): ReadReport {
  if (text.trim() === "")
    return { fault: "This page has no report yet. `doomloop scan --html FILE` writes one with a report." };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: "The report in this page is damaged: it is not JSON. Please create it again." };
  }
  const report = value as Partial<Report> | null;
  if (typeof report !== "object" || report === null) return { fault: "The report in this page is damaged." };
  if (report.version !== 1) return { fault: "This page cannot show this version of the report." };
  const isWhole =
    Array.isArray(report.loops) && Array.isArray(report.sessions) && isRecord(report.runs) && isRecord(report.totals);
  return isWhole
    ? { report: report as Report }
    : { fault: "The report in this page is damaged: parts of it are missing." };
}

function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

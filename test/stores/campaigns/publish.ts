import { appendFileSync } from "node:fs";

/** Appends a line of figures to the file that `DOOMLOOP_CAMPAIGN_REPORT` names, if it names one. */
export function publish(line: string): void {
  const file = process.env.DOOMLOOP_CAMPAIGN_REPORT;
  if (file) appendFileSync(file, `${line}\n`);
}

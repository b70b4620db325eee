import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Names } from "./names.ts";

/**
 * Reads a template and puts a name in. Templates are working code about something called `sample-name`; they end with `.txt`, so that no
 * tool takes them for code of the house.
 */
export function fillTemplate(template: string, { kebab, camel, pascal, label }: Names): string {
  return readFileSync(join(import.meta.dirname, `${template}.txt`), "utf8")
    .replaceAll("sample-name", kebab)
    .replaceAll("sampleName", camel)
    .replaceAll("SampleName", pascal)
    .replaceAll("Sample name", label);
}

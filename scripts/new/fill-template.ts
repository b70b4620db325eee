import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Names } from "./names.ts";
import { requireFreeNames } from "./require-free-names.ts";

const NAMED = /\b\w*[sS]ampleName\w*/g;

/**
 * Reads a template and puts a name in. Templates are working code about something called `sample-name`; they end with `.txt`, so that no
 * tool takes them for code of the house. Throws if a name would be that of something else in there.
 */
export function fillTemplate(template: string, { kebab, camel, pascal, label }: Names): string {
  const text = readFileSync(join(import.meta.dirname, `${template}.txt`), "utf8");
  const fill = (words: string) =>
    words
      .replaceAll("sample-name", kebab)
      .replaceAll("sampleName", camel)
      .replaceAll("SampleName", pascal)
      .replaceAll("Sample name", label);
  if (template.endsWith(".ts")) requireFreeNames(text, (text.match(NAMED) ?? []).map(fill));
  return fill(text);
}

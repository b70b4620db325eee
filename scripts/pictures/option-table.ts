import type { DocumentedOption } from "./read-options.ts";

/** What presets set for one detector, by the preset's name. */
export type PresetValues = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const MARKS = /(<!-- options: ([a-z-]+) -->\n)[\s\S]*?(<!-- end of options -->)/g;

/** A table of options in Markdown: what each means, its default, and what the presets make of it. */
export function optionTable(options: readonly DocumentedOption[], presets: PresetValues): string {
  const names = Object.keys(presets);
  const head = ["option", "default", ...names.map((name) => `\`${name}\``), "what it says"];
  const rows = options.map(({ name, meaning, defaultValue }) => [
    `\`${name}\``,
    inCode(defaultValue),
    ...names.map((preset) => inCode(String(presets[preset]![name] ?? ""))),
    meaning,
  ]);
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.map(inCell).join(" | ")} |\n`).join("");
}

/** A page with its tables written anew, each between the marks that name its detector. */
export function withTables(page: string, tableOf: (kind: string) => string): string {
  return page.replaceAll(MARKS, (_all, start: string, kind: string, end: string) => `${start}${tableOf(kind)}${end}`);
}

/** Values are code; what is a sentence with code in it stays one. */
function inCode(value: string): string {
  return value === "" || /[` ]/.test(value) ? value : `\`${value}\``;
}

function inCell(text: string): string {
  return text.replaceAll("|", "\\|");
}

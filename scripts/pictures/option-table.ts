/** One option of a detector, as its doc comment tells it. */
export interface DocumentedOption {
  readonly name: string;
  readonly meaning: string;
  readonly defaultValue: string;
}

/** What presets set for one detector, by the preset's name. */
export type PresetValues = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const INTERFACE = /^export interface \w+Options \{\n(.*?)^\}/ms;
const FIELD = /^ {2}\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2}readonly (\w+)\?: /gm;

/** Where a detector's options are, if not in its own file. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "repeated-text": "words/word-stream.ts",
};
const MARKS = /(<!-- options: ([a-z-]+) -->\n)[\s\S]*?(<!-- end of options -->)/g;

/** The file of core in which a detector's options are documented. */
export function optionsFileOf(kind: string): string {
  return ELSEWHERE[kind] ?? `detectors/${kind}.ts`;
}

/** Reads the options of a detector from its source: of the first interface whose name ends in `Options`. */
export function readOptions(source: string): readonly DocumentedOption[] {
  const [, body = ""] = INTERFACE.exec(source) ?? [];
  return [...body.matchAll(FIELD)].map(([, comment = "", name = ""]) => {
    const words = comment
      .split("\n")
      .map((line) => line.replace(/^\s*\*? ?/, "").trim())
      .join(" ");
    const [meaning = "", defaultValue = ""] = words.split("@default");
    return { name, meaning: meaning.trim(), defaultValue: defaultValue.trim() };
  });
}

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

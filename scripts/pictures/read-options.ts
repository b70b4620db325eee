/** One option of a detector, as its doc comment tells it. */
export interface DocumentedOption {
  readonly name: string;
  readonly meaning: string;
  readonly defaultValue: string;
}

const INTERFACE = /^export interface \w+Options \{\n(.*?)^\}/ms;
const FIELD = /^ {2}\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2}readonly (\w+)\?: /gm;

/** Where a detector's options are, if not in its own file. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "repeated-call": "detectors/repeated-call-options.ts",
  "repeated-text": "words/word-stream.ts",
};

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

import { globSync } from "node:fs";
import { findPages } from "../../docs/.vitepress/repository.ts";
import { keepFile, readText, root } from "../repository.ts";

interface FilledPage {
  /** The page with every marked block as its file has it. */
  readonly text: string;
  /** The files that the blocks come from. */
  readonly files: readonly string[];
  /** Blocks of code without a marker, and markers that lead nowhere, each with its line. */
  readonly faults: readonly string[];
}

/** A marker, if there is one, and the block of code below it. */
const BLOCK =
  /^(?<marker>[ ]*<!-- snippet: (?<file>[^\s#]+)(?:#(?<region>[\w-]+))? -->\n)?(?<indent>[ ]*)```(?<language>ts|tsx|mts|js|jsx|mjs|typescript|javascript|python)\b(?<rest>[^\n]*)\n(?<code>.*?)^\k<indent>```[ ]*$/gms;

/**
 * The code on the pages, from the files that it comes from.
 *
 * A file in `docs/snippets` that no page shows is a fault, and so is a block of code that comes from no file: neither would be tried.
 */
export function keepSnippets(): readonly string[] {
  const faults: string[] = [];
  const shown = new Set<string>();
  const pages = ["README.md", ...findPages()].filter((page) => !page.startsWith("docs/api/"));
  for (const page of pages) {
    const filled = fillSnippets(readText(page), readText);
    for (const file of filled.files) shown.add(file);
    faults.push(...filled.faults.map((fault) => `${page}:${fault}`));
    faults.push(...keepFile(page, filled.text));
  }
  for (const file of globSync("docs/snippets/**/*.{ts,py}", { cwd: root, exclude: ["**/node_modules/**"] }))
    if (!shown.has(file.replaceAll("\\", "/"))) faults.push(`${file}: no page shows it`);
  return faults;
}

/** Writes each block of TypeScript, JavaScript or Python of a page from the file and region that its marker names. */
function fillSnippets(page: string, readFile: (path: string) => string): FilledPage {
  const files: string[] = [];
  const faults: string[] = [];
  const text = page.replaceAll(BLOCK, (block, ...found: unknown[]) => {
    const offset = found.at(-3) as number;
    const groups = found.at(-1) as Record<
      "marker" | "file" | "region" | "indent" | "language" | "rest",
      string | undefined
    >;
    const { marker, file, region, indent = "", language = "", rest = "" } = groups;
    const fault = (words: string) => faults.push(`${lineOf(page, offset)}: ${words}`);
    if (marker === undefined || file === undefined) {
      fault(`this ${language} block says of no file that it comes from it`);
      return block;
    }
    files.push(file);
    try {
      const code = readRegion(readFile(file), region).replaceAll(/^(?=.)/gm, indent);
      return `${marker}${indent}\`\`\`${language}${rest}\n${code}${indent}\`\`\``;
    } catch (error) {
      fault(`${file}: ${(error as Error).message}`);
      return block;
    }
  });
  return { text, files, faults };
}

function lineOf(page: string, offset: number): number {
  return page.slice(0, offset).split("\n").length;
}

/**
 * The lines between `// #region name` and `// #endregion name` (in Python, with `#` for `//`), without the indentation that they share and without the marks of
 * regions inside; without a name, the whole text.
 */
function readRegion(text: string, name?: string): string {
  const lines = text.trimEnd().split("\n");
  if (name === undefined) return withoutMarks(lines);
  const isMark = (line: string, word: string) => [`// #${word} ${name}`, `# #${word} ${name}`].includes(line.trim());
  const begin = lines.findIndex((line) => isMark(line, "region"));
  const end = lines.findIndex((line) => isMark(line, "endregion"));
  if (begin < 0 || end < begin) throw new Error(`there is no region ${name}`);
  return withoutMarks(lines.slice(begin + 1, end));
}

function withoutMarks(lines: readonly string[]): string {
  const kept = lines.filter((line) => !/^\s*(?:\/\/|#) #(?:end)?region\b/.test(line));
  const indents = kept.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  const shared = Math.min(...indents);
  return `${kept
    .map((line) => line.slice(shared))
    .join("\n")
    .replaceAll(/^\n+|\n+$/g, "")}\n`;
}

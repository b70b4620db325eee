import { readRegion } from "./read-region.ts";

export interface FilledPage {
  /** The page with every marked block as its file has it. */
  readonly text: string;
  /** The files that the blocks come from. */
  readonly files: readonly string[];
  /** Blocks of code without a marker, and markers that lead nowhere, each with its line. */
  readonly faults: readonly string[];
}

/** A marker, if there is one, and the block of code below it. */
const BLOCK =
  /^(?<marker>[ ]*<!-- snippet: (?<file>[^\s#]+)(?:#(?<region>[\w-]+))? -->\n)?(?<indent>[ ]*)```(?<language>ts|tsx|mts|js|jsx|mjs|typescript|javascript)\b(?<rest>[^\n]*)\n(?<code>.*?)^\k<indent>```[ ]*$/gms;

/** Writes each block of TypeScript or JavaScript of a page from the file and region that its marker names. */
export function fillSnippets(page: string, readFile: (path: string) => string): FilledPage {
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

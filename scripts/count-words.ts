import { parseArgs } from "node:util";
import { groups, home } from "../docs/.vitepress/groups.ts";
import { findPages } from "../docs/.vitepress/repository.ts";
import { listGroups } from "../docs/.vitepress/sidebar.ts";
import { readText } from "./repository.ts";

const MOST_WORDS = 40_000;
const MOST_PAGES = 40;
const MOST_README_WORDS = 700;

const HELP = `Counts the words of the documentation site, page by page, and those of README.md.

  npm run docs:words              longest page first, then the sum
  npm run docs:words -- --check   fails above ${MOST_WORDS.toLocaleString("en")} words or ${MOST_PAGES} pages, or ${MOST_README_WORDS} words in README.md

A word is what stands between two gaps and has a letter or a digit. Prose, tables and blocks of code count.
Front matter, comments, HTML tags, and where links and pictures lead don't.
The pages are those of docs/.vitepress/groups.ts and docs/index.md, without docs/api, which is generated.
`;

if (import.meta.main) countPages();

function countPages(): void {
  const { values } = parseArgs({ options: { check: { type: "boolean" }, help: { type: "boolean", short: "h" } } });
  if (values.help) {
    console.log(HELP);
    return;
  }
  const pages = [home, ...listGroups(groups, findPages()).flatMap(({ pages }) => pages.map(({ path }) => path))]
    .filter((path) => !path.startsWith("docs/api/"))
    .map((path) => ({ path, words: wordsIn(readText(path)) }))
    .sort((one, other) => other.words - one.words);
  const sum = pages.reduce((all, { words }) => all + words, 0);
  const readme = wordsIn(readText("README.md"));
  const faults = [
    ...excess("words on the site", sum, MOST_WORDS),
    ...excess("pages on the site", pages.length, MOST_PAGES),
    ...excess("words in README.md", readme, MOST_README_WORDS),
  ];
  if (!values.check) for (const { path, words } of pages) console.log(`${String(words).padStart(6)}  ${path}`);
  console.log(`${String(sum).padStart(6)}  on ${pages.length} pages of the site`);
  console.log(`${String(readme).padStart(6)}  README.md`);
  if (!values.check) return;
  for (const fault of faults) console.log(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

function excess(what: string, count: number, most: number): readonly string[] {
  return count > most ? [`${count} ${what}, and ${most} is the most`] : [];
}

/** The words of a page that somebody reads. */
export function wordsIn(markdown: string): number {
  const text = markdown
    .replace(/^---\n.*?\n---\n/s, "")
    .replaceAll(/<!--.*?-->/gs, "")
    .replaceAll(/<\/?(?:a|br|details|div|h\d|img|p|picture|source|summary)\b[^<>]*>/g, " ")
    .replaceAll(/\]\([^()\s]*\)/g, "]");
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

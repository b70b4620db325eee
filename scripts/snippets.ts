import { globSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { findPages } from "../docs/.vitepress/repository.ts";
import { fillSnippets } from "./snippets/fill-snippets.ts";

/**
 * Writes the code on the pages from the files that it comes from; with `--check`, says where a page and its files differ.
 *
 * A file in `docs/snippets` that no page shows is a fault, and so is a block of code that comes from no file: neither would be tried.
 */
const root = resolve(import.meta.dirname, "..");
const isCheck = process.argv.includes("--check");
const faults: string[] = [];
const shown = new Set<string>();
const pages = ["README.md", ...findPages()].filter((page) => !page.startsWith("docs/api/"));

for (const page of pages) {
  const path = resolve(root, page);
  const before = readFileSync(path, "utf8");
  const { text, files, faults: found } = fillSnippets(before, (file) => readFileSync(resolve(root, file), "utf8"));
  for (const file of files) shown.add(file);
  faults.push(...found.map((fault) => `${page}:${fault}`));
  if (text === before) continue;
  if (isCheck) faults.push(`${page}: differs from its files; \`node scripts/snippets.ts\` writes it anew`);
  else writeFileSync(path, text);
}
for (const file of globSync("docs/snippets/**/*.ts", { cwd: root, exclude: ["**/node_modules/**"] })) {
  if (!shown.has(file.replaceAll("\\", "/"))) faults.push(`${file}: no page shows it`);
}

for (const fault of faults) console.log(fault);
console.log(`${pages.length} pages with code from ${shown.size} files, ${faults.length} at fault`);
process.exitCode = faults.length === 0 ? 0 : 1;

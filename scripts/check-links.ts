import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { posix, resolve } from "node:path";
import { anchorsOf } from "../docs/.vitepress/anchors.ts";
import { groups } from "../docs/.vitepress/groups.ts";
import { findPages } from "../docs/.vitepress/repository.ts";
import { listGroups } from "../docs/.vitepress/sidebar.ts";
import { linksOf } from "./links/links-of.ts";

/** Checks every link between files of the repository: the file is there, and so is the heading that it names. A page of the site must be in a group. */
const root = resolve(import.meta.dirname, "..");
const faults: string[] = [];
const anchors = new Map<string, Set<string>>();
const pages = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => file !== "" && existsSync(resolve(root, file)));
let links = 0;

for (const page of pages) {
  const { targets, undefinedLabels } = linksOf(readFileSync(resolve(root, page), "utf8"));
  for (const target of targets) checkLink(page, target);
  for (const label of undefinedLabels) faults.push(`${page}: the link [${label}] is defined nowhere on the page`);
}
try {
  listGroups(groups, findPages());
} catch (fault) {
  faults.push((fault as Error).message);
}

for (const fault of faults) console.log(fault);
console.log(`${links} links on ${pages.length} pages, ${faults.length} at fault`);
process.exitCode = faults.length === 0 ? 0 : 1;

function checkLink(page: string, link: string): void {
  if (/^(?:[a-z][a-z+.-]*:|\/\/)/i.test(link)) return;
  links++;
  const [path = "", anchor] = link.split("#", 2);
  const target = path === "" ? page : posix.join(path.startsWith("/") ? "." : posix.dirname(page), decodeURI(path));
  if (!existsSync(resolve(root, target))) faults.push(`${page}: the link ${link} leads nowhere`);
  else if (anchor !== undefined && !hasAnchor(target, anchor))
    faults.push(`${page}: the link ${link} names no heading`);
}

/** GitHub shows the README.md of a folder, and lines of everything that is not Markdown. */
function hasAnchor(target: string, anchor: string): boolean {
  const page = statSync(resolve(root, target)).isDirectory() ? posix.join(target, "README.md") : target;
  if (!page.endsWith(".md")) return /^L\d+(?:-L\d+)?$/.test(anchor);
  const known = anchors.get(page) ?? anchorsOf(readFileSync(resolve(root, page), "utf8"));
  anchors.set(page, known);
  return known.has(anchor);
}

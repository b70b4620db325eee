import { existsSync, statSync } from "node:fs";
import { posix, resolve } from "node:path";
import { anchorsOf, withoutCode } from "../docs/.vitepress/anchors.ts";
import { groups } from "../docs/.vitepress/groups.ts";
import { findPages } from "../docs/.vitepress/repository.ts";
import { listGroups } from "../docs/.vitepress/sidebar.ts";
import { listFiles, readText, report, root } from "./repository.ts";

/** `[a](x.md)`, `![a](<x y.svg> "title")` */
const INLINE = /\]\([ \t]*(?:<([^<>\n]+)>|([^)\s<>]+))(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)/g;
/** `href="x.md"` */
const ATTRIBUTE = /\b(?:href|src|srcset)="([^"\s]+)"/g;
/** `[label]: x.md "title"`. A footnote is none. */
const DEFINITION = /^ {0,3}\[([^\]^\n][^\]\n]*)\]:[ \t]*(?:<([^<>\n]+)>|([^\s<>]+))/gm;
/** `[words][label]`, `[label][]` */
const REFERENCE = /(?<![\w\]`])!?\[([^[\]]+)\]\[([^[\]\n]*)\]/g;

export interface PageLinks {
  /** What links and images lead to, in every way of writing them. */
  readonly targets: readonly string[];
  /** Labels that a link names and the page does not define. */
  readonly undefinedLabels: readonly string[];
}

const anchors = new Map<string, Set<string>>();
if (import.meta.main) checkLinks();

/** Checks every link between files of the repository: the file is there, and so is the heading that it names. A page of the site must be in a group. */
function checkLinks(): void {
  const pages = listFiles("*.md");
  const faults: string[] = [];
  let links = 0;
  for (const page of pages) {
    const { targets, undefinedLabels } = linksOf(readText(page));
    const inside = targets.filter((target) => !/^(?:[a-z][a-z+.-]*:|\/\/)/i.test(target));
    links += inside.length;
    faults.push(...inside.flatMap((target) => linkFaults(page, target)));
    faults.push(...undefinedLabels.map((label) => `${page}: the link [${label}] is defined nowhere on the page`));
  }
  try {
    listGroups(groups, findPages());
  } catch (fault) {
    faults.push((fault as Error).message);
  }
  report(faults, `${links} links on ${pages.length} pages`);
}

function linkFaults(page: string, link: string): readonly string[] {
  const [path = "", anchor] = link.split("#", 2);
  const target = path === "" ? page : posix.join(path.startsWith("/") ? "." : posix.dirname(page), decodeURI(path));
  if (!existsSync(resolve(root, target))) return [`${page}: the link ${link} leads nowhere`];
  return anchor === undefined || hasAnchor(target, anchor) ? [] : [`${page}: the link ${link} names no heading`];
}

/** GitHub shows the README.md of a folder, and lines of everything that is not Markdown. */
function hasAnchor(target: string, anchor: string): boolean {
  const page = statSync(resolve(root, target)).isDirectory() ? posix.join(target, "README.md") : target;
  if (!page.endsWith(".md")) return /^L\d+(?:-L\d+)?$/.test(anchor);
  const known = anchors.get(page) ?? anchorsOf(readText(page));
  anchors.set(page, known);
  return known.has(anchor);
}

/** The links of a page, without what only looks like one in code. */
export function linksOf(markdown: string): PageLinks {
  const prose = withoutCode(markdown).replaceAll(/`[^`\n]*`/g, "`");
  const definitions = [...prose.matchAll(DEFINITION)];
  const labels = new Set(definitions.map(([, label = ""]) => fold(label)));
  const named = [...prose.matchAll(REFERENCE)].map(([, words = "", label = ""]) => (label === "" ? words : label));
  return {
    targets: [
      ...[...prose.matchAll(INLINE)].map(([, quoted, bare]) => quoted ?? bare ?? ""),
      ...[...prose.matchAll(ATTRIBUTE)].map(([, target = ""]) => target),
      ...definitions.map(([, , quoted, bare]) => quoted ?? bare ?? ""),
    ],
    undefinedLabels: named.filter((label) => !labels.has(fold(label))),
  };
}

/** Labels are equal whatever their case and gaps. */
function fold(label: string): string {
  return label.trim().replaceAll(/\s+/g, " ").toLowerCase();
}

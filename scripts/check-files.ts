import { existsSync, statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, posix, resolve } from "node:path";
import { anchorsOf, withoutCode } from "../docs/.vitepress/anchors.ts";
import { groups, home } from "../docs/.vitepress/groups.ts";
import { findPages } from "../docs/.vitepress/repository.ts";
import { listGroups } from "../docs/.vitepress/sidebar.ts";
import { listFiles, readText, report, root } from "./repository.ts";

/**
 * Checks what no other tool checks: links between files, pages that are in no group, how much there is to read, large files, and hosts and
 * paths that belong to one machine.
 */
const MAX_BYTES = 1_000_000;
const MOST_WORDS = { "docs/": 40_000, "README.md": 700 };
const LINK = /\]\(([^)\s]+)\)|\b(?:href|src|srcset)="([^"\s]+)"/g;

const files = listFiles();
const pages = files.filter((file) => file.endsWith(".md"));
const faults = [...files.flatMap(machineFaults), ...pages.flatMap(linkFaults), ...siteFaults()];
report(faults, `${files.length} files, ${pages.length} pages`);

function machineFaults(file: string): readonly string[] {
  if (statSync(resolve(root, file)).size > MAX_BYTES) return [`${file}: larger than ${MAX_BYTES} bytes`];
  const text = readText(file);
  if (text.includes("\0")) return [];
  const namesRegistry =
    (basename(file) === "package-lock.json" && text.includes('"resolved": "http')) ||
    (basename(file) === ".npmrc" && text.replaceAll("registry-resolved", "").includes("registry"));
  const shared = ["/", homedir(), tmpdir(), "/tmp", "/home", "/Users"];
  const namesFolder = [root, dirname(root)].some((folder) => {
    const index = shared.includes(folder) ? -1 : text.indexOf(`${folder}/`);
    return index === 0 || (index > 0 && !/[\w.}/-]/.test(text.charAt(index - 1)));
  });
  return [
    ...(namesRegistry ? [`${file}: names a registry's host`] : []),
    ...(namesFolder ? [`${file}: names a folder of this machine`] : []),
  ];
}

/** Links that lead to no file, or name no heading of it. */
function linkFaults(page: string): readonly string[] {
  const prose = withoutCode(readText(page)).replaceAll(/`[^`\n]*`/g, "`");
  const links = [...prose.matchAll(LINK)].map(([, inline, attribute = ""]) => inline ?? attribute);
  return links
    .filter((link) => !/^(?:[a-z][a-z+.-]*:|\/\/)/i.test(link) && !leadsSomewhere(page, link))
    .map((link) => `${page}: the link ${link} leads nowhere`);
}

/** GitHub shows the README.md of a folder, and lines of everything that is not Markdown. */
function leadsSomewhere(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#", 2);
  const target = path === "" ? page : posix.join(path.startsWith("/") ? "." : posix.dirname(page), decodeURI(path));
  if (!existsSync(resolve(root, target))) return false;
  if (anchor === undefined) return true;
  const shown = statSync(resolve(root, target)).isDirectory() ? posix.join(target, "README.md") : target;
  return shown.endsWith(".md") ? anchorsOf(readText(shown)).has(anchor) : /^L\d+(?:-L\d+)?$/.test(anchor);
}

function siteFaults(): readonly string[] {
  try {
    const site = [home, ...listGroups(groups, findPages()).flatMap((group) => group.pages.map(({ path }) => path))];
    const counts = Object.entries(MOST_WORDS).map(([place, most]) => {
      const read = place === "docs/" ? site.filter((path) => !path.startsWith("docs/api/")) : [place];
      return { place, most, words: read.reduce((sum, path) => sum + wordsIn(readText(path)), 0) };
    });
    return counts.flatMap(({ place, most, words }) =>
      words > most ? [`${place}: ${words} words, and ${most} is the most`] : [],
    );
  } catch (fault) {
    return [(fault as Error).message];
  }
}

/** The words of a page that somebody reads. */
function wordsIn(markdown: string): number {
  const text = markdown
    .replace(/^---\n.*?\n---\n/s, "")
    .replaceAll(/<!--.*?-->|<\/?[a-z][^<>]*>/gs, " ")
    .replaceAll(/\]\([^()\s]*\)/g, "]");
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

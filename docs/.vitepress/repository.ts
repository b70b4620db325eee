import { existsSync, globSync, statSync } from "node:fs";
import { posix, resolve } from "node:path";

/** The folder of the repository, which every path of a page is relative to. */
export const root = resolve(import.meta.dirname, "../..");
export const repository = "https://github.com/doomloop/doomloop";
export const raw = "https://raw.githubusercontent.com/doomloop/doomloop/main";
export const site = "https://doomloop.github.io/doomloop/";

/** Pages that stand outside of `docs/`, where people and tools look for them, and their names on the site. */
const elsewhere: Readonly<Record<string, string>> = {
  "SECURITY.md": "security-policy.md",
  "packages/doomloop/CHANGELOG.md": "changelog.md",
};

/** What else lies in `docs/` and is no page of the site: code, and pages for people who work on doomloop. */
export const notPages: readonly string[] = [
  "docs/node_modules/**",
  "docs/snippets/**",
  "docs/.vitepress/**",
  "docs/contributing/**",
  "docs/dependencies.md",
];

/** The files of the repository that are pages of the site. */
export function findPages(folder: string = root): string[] {
  const inDocs = globSync("docs/**/*.md", { cwd: folder, exclude: [...notPages] }).map((path) =>
    path.replaceAll("\\", "/"),
  );
  return [...inDocs, ...Object.keys(elsewhere).filter((path) => existsSync(resolve(folder, path)))].sort();
}

/** The name of a page on the site: `docs/adapters/README.md` is `adapters/index.md`. */
export function nameOnSite(page: string): string {
  // Servers disagree on what `api/doomloop` is where there are a page and a folder of that name.
  if (page === "docs/api/doomloop.md") return "api/doomloop/index.md";
  return elsewhere[page] ?? page.replace(/^docs\//, "").replace(/(^|\/)README\.md$/, "$1index.md");
}

/**
 * Where a link of a page leads: to another page, as that page's path in the repository, or to an address. A link to a file that is no
 * page leads to the file on GitHub. What is not there is an error.
 */
export function resolveLink(
  page: string,
  link: string,
  pages: ReadonlySet<string>,
): { page: string; anchor: string } | string {
  if (/^(?:[a-z][a-z+.-]*:|\/\/|#)/i.test(link)) return link;
  const [path = "", anchor] = link.split("#", 2);
  const hash = anchor === undefined ? "" : `#${anchor}`;
  const target = posix.join(posix.dirname(page), decodeURI(path)).replace(/\/$/, "");
  const asPage = [target, posix.join(target, "README.md")].find((candidate) => pages.has(candidate));
  if (asPage !== undefined) return { page: asPage, anchor: hash };
  const stats = statSync(resolve(root, target), { throwIfNoEntry: false });
  if (stats === undefined || target.startsWith("..")) throw new Error(`${page}: the link ${link} leads nowhere`);
  return `${repository}/${stats.isDirectory() ? "tree" : "blob"}/main/${target}${hash}`;
}

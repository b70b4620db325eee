import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Group, home } from "./groups.ts";
import { nameOnSite, root } from "./repository.ts";

export interface ListedPage {
  /** The file, from the root of the repository. */
  readonly path: string;
  readonly title: string;
}

export interface ListedGroup {
  readonly title: string;
  readonly pages: readonly ListedPage[];
}

/** The groups with the pages that are there, each with its first heading. A page that is in no group is an error. */
export function listGroups(groups: readonly Group[], pages: readonly string[], folder: string = root): ListedGroup[] {
  const listed = groups.map(({ title, pages: wanted }) => ({
    title,
    paths: wanted.flatMap((path) => expand(path, pages)),
  }));
  const known = new Set([home, ...listed.flatMap(({ paths }) => paths)]);
  const lost = pages.filter((page) => !known.has(page));
  if (lost.length > 0) throw new Error(`docs/.vitepress/groups.ts: no group has ${lost.join(", ")}`);
  return listed
    .filter(({ paths }) => paths.length > 0)
    .map(({ title, paths }) => ({ title, pages: paths.map((path) => ({ path, title: titleOf(path, folder) })) }));
}

/** The pages of a group as VitePress wants them. */
export function sidebarOf(groups: readonly ListedGroup[]) {
  return groups.map(({ title, pages }) => ({
    text: title,
    collapsed: true,
    items: pages.map((page) => ({ text: page.title, link: linkTo(page.path) })),
  }));
}

/** The address of a page below the site's base. */
export function linkTo(page: string): string {
  return `/${nameOnSite(page).replace(/(?:index)?\.md$/, "")}`;
}

function expand(path: string, pages: readonly string[]): string[] {
  if (!path.endsWith("/")) return pages.includes(path) ? [path] : [];
  const index = `${path}README.md`;
  const others = pages.filter((page) => page.startsWith(path) && page !== index);
  return pages.includes(index) ? [index, ...others] : others;
}

/** The first heading without its marks. */
function titleOf(path: string, folder: string): string {
  const [, heading] = /^# +(.+)$/m.exec(readFileSync(resolve(folder, path), "utf8")) ?? [];
  if (heading === undefined) throw new Error(`${path}: a page begins with a heading`);
  return heading.replaceAll("`", "").trim();
}

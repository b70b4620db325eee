import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Group, home } from "./groups.ts";
import { nameOnSite, root } from "./repository.ts";

export interface ListedPage {
  /** The file, from the root of the repository. */
  readonly path: string;
  readonly title: string;
  /** Whether it belongs to the page of its folder, which comes before it. */
  readonly isBelow: boolean;
}

export interface ListedGroup {
  readonly title: string;
  readonly pages: readonly ListedPage[];
}

/** The groups with the pages that are there, each with its first heading. A page that is in no group is an error. */
export function listGroups(groups: readonly Group[], pages: readonly string[], folder: string = root): ListedGroup[] {
  const listed = groups.map(({ title, pages: wanted }) => ({
    title,
    pages: wanted
      .flatMap((path) => expand(path, pages))
      .map(({ path, isBelow }) => ({ path, title: titleOf(path, folder), isBelow })),
  }));
  const known = new Set([home, ...listed.flatMap((group) => group.pages.map(({ path }) => path))]);
  const lost = pages.filter((page) => !known.has(page));
  if (lost.length > 0) throw new Error(`docs/.vitepress/groups.ts: no group has ${lost.join(", ")}`);
  return listed.filter((group) => group.pages.length > 0);
}

interface SidebarItem {
  text: string;
  link?: string;
  collapsed?: boolean;
  items?: SidebarItem[];
}

/** The groups as VitePress wants them. */
export function sidebarOf(groups: readonly ListedGroup[]): SidebarItem[] {
  return groups.map(({ title, pages }) => {
    const items: SidebarItem[] = [];
    for (const page of pages) {
      const parent = page.isBelow ? items.at(-1) : undefined;
      const item = { text: page.title, link: linkTo(page.path) };
      if (parent === undefined) items.push(item);
      else Object.assign(parent, { collapsed: true, items: [...(parent.items ?? []), item] });
    }
    return { text: title, collapsed: true, items };
  });
}

/** The address of a page below the site's base. */
export function linkTo(page: string): string {
  return `/${nameOnSite(page).replace(/(?:index)?\.md$/, "")}`;
}

function expand(path: string, pages: readonly string[]): Omit<ListedPage, "title">[] {
  if (!path.endsWith("/")) return pages.includes(path) ? [{ path, isBelow: false }] : [];
  const index = `${path}README.md`;
  const others = pages.filter((page) => page.startsWith(path) && page !== index);
  const isBelow = pages.includes(index);
  return [...(isBelow ? [{ path: index, isBelow: false }] : []), ...others.map((page) => ({ path: page, isBelow }))];
}

/** The first heading without its marks. */
function titleOf(path: string, folder: string): string {
  const [, heading] = /^# +(.+)$/m.exec(readFileSync(resolve(folder, path), "utf8")) ?? [];
  if (heading === undefined) throw new Error(`${path}: a page begins with a heading`);
  return heading.replaceAll("`", "").trim();
}

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { findPages, nameOnSite } from "../../docs/.vitepress/repository.ts";
import { linkTo, listGroups, sidebarOf } from "../../docs/.vitepress/sidebar.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function folderWith(...pages: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "doomloop-docs-"));
  folders.push(folder);
  for (const page of pages) {
    mkdirSync(dirname(join(folder, page)), { recursive: true });
    writeFileSync(join(folder, page), `# The \`${page}\`\n`);
  }
  return folder;
}

it("lists the pages that are there, in the order of the groups, by their first heading", () => {
  const folder = folderWith("docs/b.md", "docs/a.md", "SECURITY.md", "docs/index.md");
  const groups = [{ title: "All", pages: ["docs/b.md", "docs/not-yet.md", "SECURITY.md", "docs/a.md"] }];

  const [group] = listGroups(groups, findPages(folder), folder);

  expect(group?.pages.map(({ title }) => title)).toEqual(["The docs/b.md", "The SECURITY.md", "The docs/a.md"]);
});

it("lists the pages of a folder below its README.md", () => {
  const folder = folderWith("docs/x/a.md", "docs/x/README.md", "docs/x/c.md", "docs/z.md");
  const groups = [{ title: "X", pages: ["docs/x/", "docs/z.md"] }];

  const [group] = sidebarOf(listGroups(groups, findPages(folder), folder));

  expect(group?.items?.map(({ link }) => link)).toEqual(["/x/", "/z"]);
  expect(group?.items?.[0]?.items?.map(({ link }) => link)).toEqual(["/x/a", "/x/c"]);
});

it("refuses a page that is in no group", () => {
  const folder = folderWith("docs/a.md", "docs/lost.md");

  expect(() => listGroups([{ title: "All", pages: ["docs/a.md"] }], findPages(folder), folder)).toThrow("docs/lost.md");
});

it("leaves out what is for people who work on doomloop", () => {
  const folder = folderWith(
    "docs/a.md",
    "docs/contributing/b.md",
    "docs/contributing/decisions/README.md",
    "CONTRIBUTING.md",
  );

  expect(findPages(folder)).toEqual(["docs/a.md"]);
});

it("gives pages the addresses that the site has", () => {
  expect(["docs/guard.md", "docs/adapters/README.md", "SECURITY.md"].map(linkTo)).toEqual([
    "/guard",
    "/adapters/",
    "/security-policy",
  ]);
  expect(nameOnSite("docs/adapters/README.md")).toBe("adapters/index.md");
});

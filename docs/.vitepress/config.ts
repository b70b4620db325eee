import { realpathSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitepress";
import { anchorOf } from "./anchors.ts";
import { checkAnchors } from "./check-anchors.ts";
import { groups } from "./groups.ts";
import { writeMachinePages } from "./machine-pages.ts";
import { findPages, nameOnSite, repository, root } from "./repository.ts";
import { repositoryLinks } from "./repository-links.ts";
import { linkTo, listGroups, sidebarOf } from "./sidebar.ts";
import { tableColumns } from "./table-columns.ts";

const pages = findPages();
const listed = listGroups(groups, pages);
const inBar = ["Start", "Concepts", "Detectors", "The guard", "Reference"];
const base = "/doomloop/";
const description = "Notices when an LLM agent goes in circles, tells it, and breaks the loop if it does not listen.";

export default defineConfig({
  title: "doomloop",
  description,
  base,
  cleanUrls: true,
  // The repository, so that CONTRIBUTING.md and the like are pages where they stand.
  srcDir: "..",
  srcExclude: [
    "!(docs|packages|ARCHITECTURE.md|CONTRIBUTING.md|SECURITY.md)/**",
    "packages/!(doomloop)/**",
    "packages/doomloop/!(CHANGELOG.md)/**",
    "docs/snippets/**",
  ],
  rewrites: nameOnSite,
  head: [["link", { rel: "icon", href: `data:image/svg+xml,${encodeURIComponent(icon())}` }]],
  markdown: {
    anchor: { slugify: anchorOf },
    config(markdown) {
      markdown.use(repositoryLinks(pages)).use(tableColumns);
    },
  },
  vite: {
    publicDir: join(root, "docs/public"),
    server: { fs: { allow: [root, realpathSync(join(root, "docs/node_modules"))] } },
    optimizeDeps: { entries: [] },
    // The index of the local search, which is fetched when somebody searches.
    build: { chunkSizeWarningLimit: 2000 },
  },
  buildEnd({ outDir }) {
    checkAnchors(outDir, base);
    writeMachinePages(outDir, listed, description);
  },
  transformPageData(page) {
    // Written by a tool: there is nothing to edit.
    if (page.filePath.startsWith("docs/api/")) page.frontmatter.editLink = false;
  },
  themeConfig: {
    nav: [
      ...listed
        .filter(({ title }) => inBar.includes(title))
        .map(({ title, pages: [first] }) => ({ text: title, link: linkTo(first!.path) })),
      // Words, not an icon: an icon that is missing would be fetched from somebody's server.
      { text: "GitHub", link: repository },
    ],
    sidebar: sidebarOf(listed),
    outline: [2, 3],
    search: {
      provider: "local",
      options: {
        miniSearch: {
          // Pages come before the API, which has every word in many places. Runs in the browser: it sees nothing of this file.
          searchOptions: { boostDocument: (id: string) => (id.includes("/api/") ? 0.2 : 1) },
        },
      },
    },
    editLink: { pattern: `${repository}/edit/main/:path`, text: "Edit this page" },
    externalLinkIcon: false,
  },
});

/** A ring that does not close. */
function icon(): string {
  return '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M13 8a5 5 0 1 1-2-4" fill="none" stroke="#2f8a77" stroke-width="2.5" stroke-linecap="round"/></svg>';
}

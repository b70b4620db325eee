import { realpathSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitepress";
import { anchorOf } from "./anchors.ts";
import { groups } from "./groups.ts";
import { writeMachinePages } from "./machine-pages.ts";
import { findPages, nameOnSite, notPages, repository, root, site } from "./repository.ts";
import { repositoryLinks } from "./repository-links.ts";
import { linkTo, listGroups, sidebarOf } from "./sidebar.ts";
import { tableColumns } from "./table-columns.ts";

const pages = findPages();
const listed = listGroups(groups, pages);
const inBar = ["Start", "Understand", "The guard", "Help and trust", "Reference"];
const inRepository = `${repository}/blob/main`;
const forContributors = [
  { text: "Contributing", link: `${inRepository}/CONTRIBUTING.md` },
  { text: "Architecture", link: `${inRepository}/ARCHITECTURE.md` },
  { text: "Decisions", link: `${inRepository}/docs/contributing/decisions/README.md` },
];
const base = "/doomloop/";
const description = "Notices when an LLM agent goes in circles, tells it, and breaks the loop if it does not listen.";

/**
 * Prefers first answers to the rest, and both to the security policy and the API, which has every word in many places. Runs in the browser: it sees
 * nothing of this file.
 */
const boostDocument = (id: string): number => {
  if (id.includes("/api/")) return 0.2;
  if (/\/(?:how-it-decides|troubleshooting)/.test(id)) return 1.5;
  return id.includes("/security-policy") ? 0.5 : 1;
};

export default defineConfig({
  title: "doomloop",
  description,
  base,
  cleanUrls: true,
  // The repository, so that SECURITY.md and the like are pages where they stand.
  srcDir: "..",
  srcExclude: [
    "!(docs|packages|SECURITY.md)/**",
    "packages/!(doomloop)/**",
    "packages/doomloop/!(CHANGELOG.md)/**",
    ...notPages,
  ],
  rewrites: nameOnSite,
  head: [
    ["link", { rel: "icon", href: `data:image/svg+xml,${encodeURIComponent(icon())}` }],
    ["meta", { property: "og:type", content: "website" }],
    ["meta", { property: "og:site_name", content: "doomloop" }],
    ["meta", { property: "og:image", content: `${site}social.png` }],
    ["meta", { property: "og:image:alt", content: description }],
    ["meta", { name: "twitter:card", content: "summary_large_image" }],
  ],
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
    writeMachinePages(outDir, listed, description);
  },
  transformHead({ pageData, title, description: about }) {
    const address = `${site}${nameOnSite(pageData.filePath).replace(/(?:index)?\.md$/, "")}`;
    return [
      ["meta", { property: "og:title", content: title }],
      ["meta", { property: "og:description", content: about }],
      ["meta", { property: "og:url", content: address }],
    ];
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
      { text: "Playground", link: linkTo("docs/playground.md") },
      // Words, not an icon: an icon that is missing would be fetched from somebody's server.
      { text: "GitHub", link: repository },
    ],
    sidebar: [...sidebarOf(listed), { text: "Contribute", collapsed: true, items: forContributors }],
    outline: [2, 3],
    search: {
      provider: "local",
      options: {
        miniSearch: {
          searchOptions: { boostDocument },
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

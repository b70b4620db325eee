import { relative } from "node:path";
import type { MarkdownRenderer } from "vitepress";
import { nameOnSite, resolveLink, root } from "./repository.ts";

interface Environment {
  readonly path: string;
  /** Where the page lies, if it has another name on the site. */
  readonly realPath?: string;
}

/** Links are written for GitHub. On the site, they lead to its pages, and to the repository for everything that is no page. */
export function repositoryLinks(pages: readonly string[]): (markdown: MarkdownRenderer) => void {
  const known = new Set(pages);
  return (markdown) => {
    markdown.core.ruler.push("repository-links", ({ tokens, env }) => {
      const { realPath, path } = env as Environment;
      const page = relative(root, realPath ?? path).replaceAll("\\", "/");
      for (const token of tokens.flatMap(({ children }) => children ?? [])) {
        const link = token.type === "link_open" ? token.attrGet("href") : null;
        if (link === null) continue;
        const target = resolveLink(page, link, known);
        token.attrSet("href", typeof target === "string" ? target : `/${nameOnSite(target.page)}${target.anchor}`);
      }
    });
  };
}

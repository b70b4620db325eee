import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { plainText, withoutCode } from "./anchors.ts";
import { home } from "./groups.ts";
import { nameOnSite, raw, resolveLink, root, site } from "./repository.ts";
import type { ListedGroup } from "./sidebar.ts";

/**
 * Writes what programs read of the site: `llms.txt` (llmstxt.org), `llms-full.txt` with all pages but the API in one, and beside each page
 * its Markdown.
 */
export function writeMachinePages(out: string, groups: readonly ListedGroup[], summary: string): void {
  const paths = [home, ...groups.flatMap(({ pages }) => pages.map(({ path }) => path))];
  const known = new Set(paths);
  const twins = new Map(
    paths.map((path) => [path, markdownTwin(path, readFileSync(resolve(root, path), "utf8"), known)]),
  );
  for (const [path, text] of twins) {
    const file = join(out, nameOnSite(path));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  writeFileSync(
    join(out, "llms.txt"),
    llmsText(groups, summary, (path) => twins.get(path) ?? ""),
  );
  const whole = [...twins].filter(([path]) => !path.startsWith("docs/api/")).map(([, text]) => text.trim());
  writeFileSync(join(out, "llms-full.txt"), `${whole.join("\n\n---\n\n")}\n`);
}

/** The list of all pages, each with its first sentence. */
export function llmsText(groups: readonly ListedGroup[], summary: string, textOf: (path: string) => string): string {
  const sections = groups.map(({ title, pages }) => {
    const lines = pages.map((page) => {
      const words = firstSentence(textOf(page.path));
      return `- [${page.title}](${site}${nameOnSite(page.path)})${words === "" ? "" : `: ${words}`}`;
    });
    return `## ${title}\n\n${lines.join("\n")}\n`;
  });
  return `# doomloop\n\n> ${summary}\n\n${sections.join("\n")}`;
}

/** A page whose links hold wherever it is read. */
export function markdownTwin(page: string, text: string, pages: ReadonlySet<string>): string {
  const picture = (link: string) => (/^[a-z]+:/.test(link) ? link : `${raw}/${posix.join(posix.dirname(page), link)}`);
  const address = (link: string) => {
    const target = link.startsWith("#") ? link : resolveLink(page, link, pages);
    return typeof target === "string" ? target : `${site}${nameOnSite(target.page)}${target.anchor}`;
  };
  const absolute = (prose: string) =>
    prose
      .replaceAll(/`[^`\n]*`|(!?)(\[[^\]]*\])\(([^)\s]+)\)/g, (found, mark?: string, label?: string, link = "") =>
        label === undefined ? found : `${mark}${label}(${mark === "!" ? picture(link) : address(link)})`,
      )
      .replaceAll(/ (src|srcset)="([^"\s]+)"/g, (_, name: string, link: string) => ` ${name}="${picture(link)}"`);
  // Of what the split gives, every third piece is prose, then comes a fenced block, then its indentation.
  return text
    .replaceAll(/^<!-- snippet: .*-->\n/gm, "")
    .split(/(^( *)(?:```+|~~~+).*?^\2(?:```+|~~~+) *$)/ms)
    .map((piece, index) => (index % 3 === 0 ? absolute(piece) : index % 3 === 1 ? piece : ""))
    .join("");
}

/** The first sentence of the first paragraph. */
function firstSentence(text: string): string {
  const paragraphs = withoutCode(text).split(/\n{2,}/);
  const first = paragraphs.find((paragraph) => /^[\p{L}`*[]/u.test(paragraph)) ?? "";
  const [sentence = ""] = /^.*?[.:](?=\s|$)/s.exec(first) ?? [first];
  return plainText(sentence.replaceAll(/\s+/g, " ")).replace(/:$/, ".");
}

import { withoutCode } from "../../docs/.vitepress/anchors.ts";

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

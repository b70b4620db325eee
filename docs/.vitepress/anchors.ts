/** The anchor that GitHub gives to a heading. The site gives the same, so that a link holds in both places. */
export function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, "")
    .replaceAll(" ", "-");
}

/** The anchors of a page: its headings, numbered where two are equal, and what it names itself with `id="..."`. */
export function anchorsOf(markdown: string): Set<string> {
  const prose = withoutCode(markdown);
  const anchors = new Set<string>();
  const seen = new Map<string, number>();
  for (const [, heading = ""] of prose.matchAll(/^#{1,6} +(.*?)(?: +#+)?$/gm)) {
    const anchor = anchorOf(plainText(heading));
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    anchors.add(count === 0 ? anchor : `${anchor}-${count}`);
  }
  for (const [, id = ""] of prose.matchAll(/\sid="([^"]+)"/g)) anchors.add(id);
  return anchors;
}

/** A page without its fenced blocks: what looks like a link or a heading in there is none. */
export function withoutCode(markdown: string): string {
  return markdown.replaceAll(/^( *)(```+|~~~+).*?^\1\2 *$/gms, "");
}

/** A line of Markdown as it is read, without links and marks. */
export function plainText(line: string): string {
  return line
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/[`*]/g, "");
}

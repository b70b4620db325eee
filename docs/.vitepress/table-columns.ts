import type { MarkdownRenderer } from "vitepress";

const SOME_WORDS = 24;
const MANY_WORDS = 70;

/** Marks the head of a column by how much its cells say, so that a table that is too wide scrolls and its sentences are not squeezed. */
export function tableColumns(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("table-columns", ({ tokens }) => {
    let heads: typeof tokens = [];
    let longest: number[] = [];
    let column = 0;
    tokens.forEach((token, index) => {
      if (token.type === "table_open") [heads, longest] = [[], []];
      if (token.type === "tr_open") column = 0;
      if (token.type === "th_open") heads.push(token);
      if (token.type === "td_open") {
        longest[column] = Math.max(longest[column] ?? 0, lengthOf(tokens[index + 1]));
        column++;
      }
      if (token.type !== "table_close") return;
      heads.forEach((head, at) => {
        const length = longest[at] ?? 0;
        if (length > SOME_WORDS) head.attrJoin("class", length > MANY_WORDS ? "many-words" : "some-words");
      });
    });
  });
}

/** The length of a cell as it is read. */
function lengthOf(cell: { children: { content: string }[] | null } | undefined): number {
  return (cell?.children ?? []).reduce((sum, { content }) => sum + content.length, 0);
}

import { createHash } from "node:crypto";

const ISLAND = '<script type="application/json" id="doomloop-report"></script>';

export interface PageParts {
  readonly html: string;
  readonly script: string;
  readonly style: string;
  /** Of the packages whose code is in the script: it goes where the code goes. */
  readonly licence: string;
  /**
   * Whether the page has an empty island for a report.
   * @default true
   */
  readonly hasIsland?: boolean | undefined;
}

/**
 * Puts script and style into the page, behind a policy that lets nothing else run, load or leave.
 *
 * The island stays empty: whoever fills it finds it by its one tag.
 */
export function assemblePage({ html, script, style, licence, hasIsland = true }: PageParts): string {
  const bare = html
    .replaceAll(/<script type="module"[^<>]{0,100}><\/script>/g, "")
    .replaceAll(/<link rel="stylesheet"[^<>]{0,100}>/g, "");
  refuseTags(script);
  refuseTags(style);
  refuseLoading(bare);
  refuseLoading(style);
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    // A ribbon is drawn as a PNG from an SVG that is its own address. Nothing is loaded.
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
  const page = bare
    .replace(
      '<meta charset="utf-8" />',
      (tag) => `${tag}\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`,
    )
    .replace("</head>", (tag) => `  <style>${style}</style>\n  ${tag}`)
    .replace("</body>", (tag) => `  <script type="module">${script}</script>\n  ${tag}`);
  const islands = page.split(ISLAND).length - 1;
  const wanted = hasIsland ? 1 : 0;
  if (islands !== wanted) throw new Error(`assemblePage: ${wanted} empty islands are required, got ${islands}`);
  if (licence.includes("--")) throw new Error("assemblePage: a licence must not end its comment");
  return `${page.trimEnd()}\n<!--\nThis page holds code of ${licence.trim()}\n-->\n`;
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** A parser of HTML knows nothing of strings: these would end the element in the middle of one. */
function refuseTags(text: string): void {
  const found = /<\/script|<\/style|<script|<!--/i.exec(text);
  if (found !== null) throw new Error(`assemblePage: script and style must not hold "${found[0]}"`);
}

function refuseLoading(text: string): void {
  const found = /\b(?:src|href)=|@import|url\(/.exec(text);
  if (found !== null) throw new Error(`assemblePage: the page must load nothing, got "${found[0]}"`);
}

import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { assemblePage } from "./assemble-page.ts";

const html = `<!doctype html>
<html>
  <head>
    <meta charset="utf-8" />
    <script type="module" crossorigin src="/assets/main.js"></script>
    <link rel="stylesheet" crossorigin href="/assets/main.css">
  </head>
  <body>
    <script type="application/json" id="doomloop-report"></script>
  </body>
</html>
`;
const parts = { html, script: "let a = 1;", style: "b{}", licence: "Preact:\n\nFree to use." };

describe("the assembled page", () => {
  it("holds script and style, and no link to either", () => {
    const page = assemblePage(parts);

    expect(page).toContain('<script type="module">let a = 1;</script>');
    expect(page).toContain("<style>b{}</style>");
    expect(page).not.toMatch(/src=|href=/);
  });

  it("brings the licence of what is in it, and refuses one that would end its comment", () => {
    expect(assemblePage(parts)).toMatch(/<!--[^<]*Free to use\.\n-->\n$/);
    expect(() => assemblePage({ ...parts, licence: "a --> b" })).toThrow(/must not end its comment/);
  });

  it("lets run what it holds, by its hash, and nothing else", () => {
    const [, policy = ""] = /Content-Security-Policy" content="([^"]*)"/.exec(assemblePage(parts)) ?? [];

    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`script-src 'sha256-${createHash("sha256").update("let a = 1;").digest("base64")}'`);
    expect(policy).not.toContain("unsafe");
  });

  it.each(["</script>", "</SCRIPT ", "<!--", "<script"])("refuses a script that holds %s", (text) => {
    expect(() => assemblePage({ ...parts, script: `a = "${text}"` })).toThrow(/must not hold/);
  });

  it("needs no island in a page that reads its report elsewhere", () => {
    const bare = html.replace('<script type="application/json" id="doomloop-report"></script>', "");

    expect(assemblePage({ ...parts, html: bare, hasIsland: false })).toContain("let a = 1;");
    expect(() => assemblePage({ ...parts, hasIsland: false })).toThrow(/0 empty islands are required, got 1/);
  });

  it("refuses a page without an island, and one that would load something", () => {
    expect(() => assemblePage({ ...parts, html: html.replace("doomloop-report", "other") })).toThrow(
      /1 empty islands are required, got 0/,
    );
    expect(() => assemblePage({ ...parts, style: "a{background:url(x.png)}" })).toThrow(/must load nothing/);
  });
});

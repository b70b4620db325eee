import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { checkAnchors } from "../../docs/.vitepress/check-anchors.ts";

let out: string;
beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), "doomloop-site-"));
  mkdirSync(join(out, "a"));
  writeFileSync(join(out, "a/index.html"), '<h2 id="here">Here</h2><a href="#here">up</a>');
});
afterEach(() => rmSync(out, { recursive: true }));

it("lets links to headings, pages and other sites be", () => {
  writeFileSync(
    join(out, "b.html"),
    '<p id="c"></p><a href="/base/a/#here"></a><a href="/base/b#c"></a><a href="/base/a/"></a><a href="https://x.example/#y"></a>',
  );

  expect(() => checkAnchors(out, "/base/")).not.toThrow();
});

it("names every link that leads to no heading", () => {
  writeFileSync(join(out, "b.html"), '<a href="/base/a/#there"></a><a href="#gone"></a>');

  expect(() => checkAnchors(out, "/base/")).toThrow("b.html: /base/a/#there\nb.html: #gone");
});

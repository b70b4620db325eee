import { expect, it } from "vitest";
import type { Report } from "../../scan/report/report.ts";
import { fillPage } from "./scan-page.ts";

const PAGE =
  '<!doctype html><script type="application/json" id="doomloop-report">null</script><p>after</p><script>go()</script>';
const HOSTILE = [
  "</script><img src=x onerror=alert(1)>",
  "<!--<script>",
  "-->",
  "]]>",
  "\u2028alert(1)\u2029",
  "$& $1 $` $'",
  "&lt;b&gt;",
  "\\u003c/script>",
  "\u0000\ud800",
];

function reportWith(text: string): Report {
  return { version: 1, loops: [{ what: text, tools: [text] }] } as unknown as Report;
}

it.each(HOSTILE)("keeps %j inside the JSON island", (text) => {
  const page = fillPage(PAGE, reportWith(text));
  const opening = '<script type="application/json" id="doomloop-report">';
  const start = page.indexOf(opening) + opening.length;
  const island = page.slice(start, page.indexOf("</script>", start));

  expect(JSON.parse(island)).toEqual(JSON.parse(JSON.stringify(reportWith(text))));
  expect(island).not.toMatch(/[<>&\u2028\u2029]/);
  expect(page.slice(0, start) + page.slice(start + island.length)).toBe(PAGE.replace("null", ""));
});

it("rejects a page without a place for the report", () => {
  expect(() => fillPage("<p></p>", reportWith("a"))).toThrow("no place");
});

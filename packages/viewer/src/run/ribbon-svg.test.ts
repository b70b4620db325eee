import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionSummary } from "../../../doomloop/src/scan/report/report.ts";
import { sampleLoop, sampleSteps } from "../report/sample.ts";
import { FILLS, ribbonSvg } from "./ribbon-svg.ts";
import { runPicture } from "./run-picture.ts";

const loops = [
  sampleLoop({
    ...{ onset: 3, end: 8 },
    afterOnset: { calls: 3, tokens: null, costUsd: { low: 0.29, high: 0.29, isEstimated: false } },
    decisions: [
      { call: 5, action: "nudge" },
      { call: 7, action: "stop" },
    ],
  }),
];

const session = {
  ...{ startedAt: "2026-11-11T12:00:00.000Z", endedAt: null, tokens: null },
  costUsd: { low: 1.2, high: 1.2, isEstimated: false },
} as SessionSummary;

function draw(label?: string): string {
  const steps = sampleSteps("q r a b a b a b r").map((step) =>
    label === undefined ? step : { ...step, label, tool: label },
  );
  return ribbonSvg(runPicture({ from: 1, total: 9, steps }, loops), loops, { agent: "Codex CLI", total: 9, session });
}

/** Its tags, and the text between them. */
const tagsOf = (svg: string) => svg.match(/<[^>]*>/g) ?? [];
const namesOf = (svg: string) => new Set(tagsOf(svg).map((tag) => /^<\/?([a-z]*)/.exec(tag)?.[1]));

describe("the picture to share", () => {
  it("shows the run: colours for the loop, what repeated, and what the guard would have done", () => {
    const svg = draw();

    expect(svg).toContain(">Codex CLI went in circles for 6 of 9 calls</text>");
    expect(svg).toContain(">A  a, 3 times</text>");
    expect(svg).toContain(">B  b, 3 times</text>");
    expect(svg).toContain(">doomloop would have stopped it at call 7</text>");
    expect(svg.match(/fill="#d55e00"/g)).toHaveLength(4);
    expect(svg).not.toContain(">C  ");
  });

  it("says what its signs mean, when the run was and what it cost", () => {
    const svg = draw();

    expect(svg).toContain(">11 Nov 2026 · $1.20 in all · $0.29 after doomloop would have stepped in</text>");
    expect(svg).toMatch(/>doomloop would have<\/text>\s<text[^>]*>▲<\/text>\s<text[^>]*>nudged<\/text>/);
    expect(svg).toMatch(/>✕<\/text>\s<text[^>]*>stopped<\/text>/);
    expect(svg).not.toContain("blocked");
    expect(svg).toMatch(/>doomloop<\/text>/);
  });

  it("holds no foreign text as markup, whatever a label says", () => {
    const own = namesOf(draw());
    const evil = [
      "<script>alert(1)</script>",
      '"/><image href="//x"/>',
      "]]>&lt;&#0;",
      "\u0000\u001b\uFFFF\uD800\u202E",
      "a & b's",
    ];
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...evil), fc.string({ unit: "binary" })), (label) => {
        const svg = draw(label);
        expect(namesOf(svg)).toEqual(own);
        expect(svg).not.toMatch(/&(?!(?:amp|lt|gt|quot|#39);)/);
        expect(svg).not.toMatch(/[\p{Cs}\uFFFE\uFFFF]/u);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there.
        expect(svg).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
      }),
    );
    expect(own).toEqual(new Set(["svg", "title", "defs", "pattern", "rect", "text"]));
  });

  it("has the light colours of the page", () => {
    const css = readFileSync(resolve(import.meta.dirname, "../styles/strip.css"), "utf8");
    for (const [name, fill] of Object.entries(FILLS))
      expect(css).toMatch(new RegExp(`\\.${name} \\{\\s+--fill: (?:light-dark\\()?${fill}\\b`));
  });
});

import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../packages/doomloop/src/index.ts";
import { call, failure, result, step, text, times, user } from "../../packages/doomloop/src/testing/events.ts";
import { phaseFaults, weighRun } from "../../scripts/pictures/draw-evidence.ts";
import { drawRun } from "../../scripts/pictures/draw-run.ts";
import { checkRun, playRun } from "../../scripts/pictures/play-run.ts";

const drawn = (events: readonly AgentEvent[], more: Partial<Parameters<typeof drawRun>[1]> = {}) =>
  drawRun(playRun(events), { title: "A run", width: 640, theme: "both", ...more });
/** What stands in a picture, without what only screen readers read. */
const shown = (svg: string) => svg.replace(/<desc.*<\/desc>/s, "").replaceAll(/<[^>]+>/g, "\n");

const failing = [call("bash", { command: "npm test" }), failure("1 failed: expected 81 to be 90")];
const edited = step("edit_file", { path: "a.ts", text: "x" }, "Edited a.ts.");

describe("a picture of a run", () => {
  it("says what the guard said, at the call where it said it", () => {
    const svg = drawn(times(25, failing));
    const words = shown(svg).replaceAll("\n", " ");

    expect(words.match(/[▲■✕] (?:nudge|block|stop)/g)).toEqual([...Array(3).fill("▲ nudge"), "■ block", "✕ stop"]);
    expect(words).toContain("`bash` call failed");
    expect(svg).toMatch(
      /\n3 bash npm test failed, as before\n▲ nudge \[doomloop\] This exact `bash` call failed the\s+same way 3 times/,
    );
    expect(svg).toMatch(/\n10 bash npm test not run\n■ block /);
  });

  it("ends where the guard ends the run, and shows what was spared", () => {
    const { rows, spared } = playRun(times(29, failing));

    expect([rows.length, spared.length]).toEqual([20, 9]);
    expect(shown(drawn(times(29, failing)))).toContain("goes on for 9 calls more");
  });

  it("draws calls as one where the loop goes on and the guard says nothing new", () => {
    const words = shown(drawn(times(25, failing)));

    // Calls 6 to 8 between two nudges, and 11 to 19 after the first refusal.
    expect(words.match(/up to call \d+/g)).toEqual(["up to call 8", "up to call 19"]);
  });

  it("tells why a repeat was not counted, also where the guard says nothing", () => {
    const words = shown(drawn([...failing, ...edited, ...failing, user("again, please"), ...failing], { width: 900 }));

    expect(words).toContain("not counted as a repeat: something was changed in between");
    expect(words).toContain("not counted as a repeat: the user said something in between");
    expect(words).toContain("The guard says nothing.");
  });

  it("gives equal calls one letter and one colour", () => {
    const svg = drawn([...failing, ...edited, ...failing]);

    expect(svg.match(/class="letter"[^>]*>A</g)).toHaveLength(2);
    expect(svg.match(/class="letter"/g)).toHaveLength(2);
  });

  it("takes nothing foreign for markup, and shows what would be invisible", () => {
    const hostile = `</text><script>alert("1")</script>&amp;'\u202Eevil\u0000\uD800]]>`;
    const svg = drawn([user(hostile), text(hostile), call(hostile, { path: hostile }), result(hostile)], {
      title: hostile,
    });

    for (const never of ["<script", "\u202E", "\u0000", "\uD800"]) expect(svg).not.toContain(never);
    expect(svg).toContain("&#60;script&#62;alert(&#34;1&#34;)");
    expect(svg).toContain("[U+202E]");
    expect(svg.match(/<(?!\/?(?:svg|title|desc|style|rect|text|tspan|path|g)\b)/g)).toBeNull();
  });

  it.each([480, 760])("keeps long words inside a card of %i pixels", (width) => {
    const long = "x".repeat(5_000);
    const svg = drawn([user(long), text(long), call("bash", { command: long }), result("ok")], { title: long, width });

    for (const [, words = ""] of svg.matchAll(/<text[^>]*>(.*?)<\/text>/g)) expect(words.length).toBeLessThan(200);
  });

  it("has the same bytes each time", () => {
    expect(drawn(times(7, failing))).toBe(drawn(times(7, failing)));
  });

  it.each([
    ["light", "#ffffff", "#1b1e21"],
    ["dark", "#1b1e21", "#ffffff"],
  ] as const)("has one ground where it is asked to be %s", (theme, ground, other) => {
    const svg = drawn(failing, { theme });

    expect(svg).toContain(`.ground{fill:${ground}}`);
    expect(svg).not.toContain(`.ground{fill:${other}}`);
    expect(svg).not.toContain("@media");
  });

  it("follows the reader's system otherwise", () => {
    expect(drawn(failing)).toMatch(
      /\.ground\{fill:#ffffff\}.*@media \(prefers-color-scheme: dark\).*\.ground\{fill:#1b1e21\}/s,
    );
  });

  it("has a title and a description", () => {
    expect(drawn(failing)).toMatch(
      /role="img" aria-labelledby="title desc".*<title id="title">A run<.*<desc id="desc">A run\n1 bash npm test failed/s,
    );
  });
});

describe("the check of a run", () => {
  it("passes a loop that the guard calls by its name", () => {
    expect(checkRun("repeated-call", playRun(times(3, failing)))).toBeUndefined();
  });

  it.each([
    ["repeated-call", failing, "got silence"],
    ["stalled", times(3, failing), "got repeated-call"],
  ])("finds fault with an example of %s that is none", (kind, events, fault) => {
    expect(checkRun(kind, playRun(events))).toContain(fault);
  });
});

describe("a picture of evidence", () => {
  it("has the evidence after each call, until the guard ends the run", () => {
    const run = weighRun([...times(3, failing), user("stop, please"), ...times(30, failing)]);

    expect(run.slice(0, 5).map(({ evidence }) => evidence)).toEqual([0, 2, 3, 0, 2]);
    expect(run.at(-1)).toEqual({ evidence: 20, action: "stop" });
  });

  it("finds fault with words that say what the run does not do", () => {
    const run = weighRun(times(5, failing));
    const phase = { from: 1, to: 5, words: "goes on" };

    expect(phaseFaults(run, [{ ...phase, does: "rises" }])).toEqual([]);
    expect(phaseFaults(run, [{ ...phase, does: "falls" }])).toHaveLength(1);
  });
});

import { stripVTControlCharacters } from "node:util";
import { expect, it } from "vitest";
import { loop, report } from "../../../../../test/made-up-report.ts";
import { timesInWords } from "../../scan/report/words.ts";
import { columnsOf } from "../../system/printable.ts";
import { createStyle } from "../terminal/style.ts";
import { type ScanSummaryOptions, scanSummary } from "./scan-summary.ts";

const NOW = Date.UTC(2026, 0, 10);
const PLAIN: ScanSummaryOptions = {
  width: 80,
  style: createStyle({ isTTY: false }, {}),
  top: 5,
  now: NOW,
  scope: "the last 30 days",
  isQuiet: false,
  hints: ["Name a file."],
  steps: [{ purpose: "See one", copy: "doomloop show a" }],
};

it("gives the number of agents if there are subagents", () => {
  const { totals, ...rest } = report([loop()]);
  const told = scanSummary({ ...rest, totals: { ...totals, agents: 52 } }, PLAIN);

  expect(told).toContain("1 loop in 40 sessions, 52 agents, 1,234 calls");
});

it("says in one line that all is well", () => {
  expect(scanSummary(report([]), { ...PLAIN, isQuiet: true })).toBe("No loops in 40 sessions, 1,234 calls.\n");
  expect(scanSummary(report([]), PLAIN)).toMatch(/^No loops in 40 sessions, 1,234 calls\.\nThe last 30 days\./);
});

it("says before anything else that a scan is not complete, and does not call it well", () => {
  const style = createStyle({ isTTY: true }, {});
  const none = { ...report([]), stopped: { read: 1, files: 40 } };

  expect(scanSummary(none, { ...PLAIN, style })).toMatch(
    /^Not complete, 1 of 40 files read: no loops so far in 40 sessions, 1,234 calls\.\n/,
  );
  expect(scanSummary({ ...report([loop()]), stopped: none.stopped }, { ...PLAIN, isQuiet: true })).toMatch(
    /^Not complete, 1 of 40 files read: \d+ of 40 sessions so far went in circles\. /,
  );
});

it("says how agents reacted to hooks, with and without loops", () => {
  const hooks = { words: 12, questions: 1, refusals: 1, ends: 0, obeyed: 11, ignored: 3, allowed: 2 };
  const words = "Hooks acted 14 times. Agents followed 11 nudges and ignored 3. You dismissed 2\nloops.\n";

  expect(scanSummary({ ...report([]), hooks }, PLAIN)).toMatch(/^No loops in [\s\S]*\nHooks acted/);
  expect(scanSummary({ ...report([]), hooks }, PLAIN).endsWith(words)).toBe(true);
  expect(scanSummary({ ...report([loop()]), hooks }, PLAIN)).toContain(`\n\n${words}\nWhat to do\n`);
  expect(scanSummary({ ...report([loop()]), hooks }, { ...PLAIN, isQuiet: true })).not.toContain("Hooks");
});

it("mentions hooks even without sessions", () => {
  const hooks = { words: 1, questions: 0, refusals: 0, ends: 0, obeyed: 0, ignored: 0, allowed: 0 };
  const none = { ...report([]), hooks };
  const empty = { ...none, totals: { ...none.totals, sessions: 0 } };

  expect(scanSummary(empty, PLAIN)).toBe("No sessions found (the last 30 days).\nName a file.\nHooks acted once.\n");
});

it("does not mention silent hooks", () => {
  const hooks = { words: 0, questions: 0, refusals: 0, ends: 0, obeyed: 0, ignored: 0, allowed: 0 };

  expect(scanSummary({ ...report([]), hooks }, PLAIN)).not.toContain("Hooks");
});

it("uses the singular", () => {
  const hooks = { words: 1, questions: 0, refusals: 0, ends: 0, obeyed: 1, ignored: 1, allowed: 1 };

  expect(scanSummary({ ...report([]), hooks }, { ...PLAIN, width: 200 })).toContain(
    "Hooks acted once. Agents followed 1 nudge and ignored 1. You dismissed 1 loop.",
  );
});

it("gives the worst loop in a sentence, then the answer, then the worst loops with their ids, then what to do", () => {
  const text = scanSummary(report([loop()]), { ...PLAIN, width: 200 });

  expect(text).toMatch(
    /^Claude Code ran npm test 12 times in a row\.\n1 of 40 sessions went in circles\. \$0\.40 of \$2\.00 was spent\s+after doomloop would have stepped in\.\n/,
  );
  expect(text).toContain("1 loop in 40 sessions, 1,234 calls, the last 30 days. Prices of 2026-01-01.");
  expect(text).toContain("3 of 40 sessions used models without a known price.");
  expect(text).toMatch(/a +npm test +12x +same call again +Claude Code +api +2d ago +\$0\.40\n/);
  expect(text).toMatch(/\n\nWhat to do\n +See one +doomloop show a\n$/);
});

it("gives the number of all loops, and the configuration used", () => {
  const many = report([loop(), loop(), loop()]);
  const text = scanSummary(
    { ...many, generator: { ...many.generator, config: "doomloop.config.json" } },
    { ...PLAIN, top: 2 },
  );

  expect(text).toContain("The worst 2 of 3 loops (--top 3 names all)");
  expect(text.replaceAll(/\s+/g, " ")).toContain("Judged by doomloop.config.json.");
});

it("marks a time that comes from the file", () => {
  const facts = { startedAt: null, endedAt: "2026-01-07T00:00:00.000Z", isFileTime: true };
  const text = scanSummary(report([loop({ at: null })], facts), { ...PLAIN, width: 140 });

  expect(text).toContain(" 3d ago (file) ");
});

it("shows tokens for a model without a price, and calls if nothing is known, but never $0", () => {
  const none = { low: 0, high: 0, isEstimated: false };
  const rows = [
    loop({ afterOnset: { calls: 9, tokens: { low: 40_000, high: 42_000, isEstimated: true }, costUsd: null } }),
    loop({ afterOnset: { calls: 9, tokens: null, costUsd: null } }),
    loop({ afterOnset: { calls: 0, tokens: none, costUsd: none } }),
  ];
  const text = scanSummary(report(rows), PLAIN);

  expect(text).toMatch(/about 40\.0K to 42\.0K tokens\n.* 9 calls\n.* -\n/);
  expect(text).not.toContain("$0.00");
});

it.each([40, 60, 80, 140])("fits into %d columns, whatever the scripts and lengths", (width) => {
  const rows = [
    loop({ what: "Read 漢字ファイル名が長い場合の例.ts > Grep src > npm run a-rather-long-script-name" }),
    loop({ what: "x".repeat(500), kind: "failure-streak" }),
  ];
  const found = report(rows, { project: "プロジェクト-with-a-long-name" });
  const text = scanSummary({ ...found, possibleLoops: rows }, { ...PLAIN, width, top: 1 });
  const tooWide = text.split("\n").filter((line) => columnsOf(line) > width);

  expect(tooWide).toEqual([]);
});

it.each([40, 54, 60, 80, 90, 100, 110, 140])("never cuts an amount, in %d columns", (width) => {
  const tokens = { low: 14_400, high: 20_800, isEstimated: true };
  const rows = ["npm run a-rather-long-script-name", "b"].map((what) =>
    loop({ what, session: "eb1a8e38e2", afterOnset: { calls: 9, tokens, costUsd: null } }),
  );
  const found = report(rows, { id: "eb1a8e38e2", project: "a-project-with-a-long-name" });
  const text = scanSummary({ ...found, possibleLoops: rows }, { ...PLAIN, width });

  expect(text.match(/ about 14\.4K to 20\.8K tokens\n/g)).toHaveLength(4);
  expect(text.split("\n").filter((line) => columnsOf(line) > width)).toEqual([]);
});

it("says without loops what the sessions cost, if that is known closely", () => {
  const { totals, ...rest } = report([]);
  const told = (low: number) =>
    scanSummary({ ...rest, totals: { ...totals, costUsd: { low, high: 2, isEstimated: low < 2 } } }, PLAIN);

  expect(told(2).replaceAll(/\s+/g, " ")).toContain(
    "The sessions cost $2.00, without 3 of unknown price. Prices of 2026-01-01.",
  );
  expect(told(1)).toContain("The sessions cost about $1.00 to $2.00");
  expect(told(0.5)).not.toContain("cost");
});

it("lets no transcript move the cursor, set a title or turn the line around", () => {
  const evil = "\u001b]0;title\u0007\u001b[2J\u202e\r\n\u009b31m";
  const text = scanSummary(report([loop({ what: evil, kind: evil, tools: [evil] })], { project: evil, agent: evil }), {
    ...PLAIN,
    style: createStyle({ isTTY: true }, {}),
  });

  // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there.
  expect(stripVTControlCharacters(text)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  expect(text).not.toContain("\u001b]");
});

it("uses colours only on terminals that support them", () => {
  const coloured = (isTTY: boolean, env: NodeJS.ProcessEnv): boolean =>
    scanSummary(report([loop()]), { ...PLAIN, style: createStyle({ isTTY }, env) }).includes("\u001b[");

  expect([
    coloured(true, {}),
    coloured(false, {}),
    coloured(true, { NO_COLOR: "1" }),
    coloured(false, { FORCE_COLOR: "1" }),
  ]).toEqual([true, false, false, true]);
});

it("gives a colour to what a loop spent, and to nothing else in its line", () => {
  const style = createStyle({ isTTY: true }, { LANG: "C" });
  const idle = loop({ session: "b", afterOnset: { calls: 0, tokens: null, costUsd: null } });
  const told = scanSummary(report([loop(), idle]), { ...PLAIN, style });

  expect(told).toContain("\n  a        npm test         12x  2d ago        \u001b[33m$0.40\u001b[39m\n");
  expect(told).toContain("\n  b        npm test         12x  2d ago            -\n");
});

it("lists possible loops apart, with the reason, and does not count them as loops", () => {
  const none = report([]);
  const possibleLoops = [1, 2].map((at) => loop({ id: `a-${at}`, isPossible: true }));
  const told = scanSummary(
    { ...none, possibleLoops, totals: { ...none.totals, possibleLoops: 2 } },
    { ...PLAIN, top: 1 },
  );

  expect(told).toMatch(/^No loops in 40 sessions, 1,234 calls\. 2 possible loops\.\n/);
  expect(told).toContain("Possible loops (the first 1 of 2; --top 2 names all)\n  The agent left them by itself, or");
  expect(told.match(/ npm test /g)).toHaveLength(1);
  expect(told).toContain("What to do\n  See one");
});

it("tells people without loops what was repeated most and why that is none, escaped", () => {
  const none = report([]);
  const repeated = [
    { what: "npm test\u001b[2J", session: "a", times: 14, reason: "changed-world" },
    { what: "Read auth.ts", session: "a", times: 3, reason: null },
  ];
  const told = scanSummary({ ...none, repeated }, PLAIN);

  expect(told).toContain(`Repeated most, and why it is no loop
  npm test\\u{1b}[2J, 14 times in session a
    mostly something was changed in between
  Read auth.ts, 3 times in session a
    mostly it did not come back often enough in a row
`);
  expect(scanSummary({ ...none, repeated }, { ...PLAIN, isQuiet: true })).not.toContain("Repeated most");
});

it("says how many repeats did not count, and why", () => {
  const uncounted = [4, 5].map((call) => ({ call, reason: "asked-for" }));
  const sampled = loop({
    what: "check_job",
    calls: [
      [3, 3],
      [6, 14],
    ],
    uncounted,
  });

  expect(scanSummary(report([sampled]), PLAIN)).toContain("check_job (2 as the user asked for)");
  expect(timesInWords(sampled)).toBe("12 times, 2 of them as the user asked for");
});

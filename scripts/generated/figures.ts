import { type Figures, readFigures } from "../../bench/quality/figures.ts";
import type { toMarkdown } from "../../bench/speed/report.ts";
import { keepFile, readText } from "../repository.ts";

/** What the benches have measured last, with `--write`. */
interface Measured {
  readonly quality: Figures;
  readonly speed: Parameters<typeof toMarkdown>[0];
}

/** The tables of figures that pages show, by name. */
const TABLES: Readonly<Record<string, (measured: Measured) => string>> = {
  rules: ({ quality }) => rulesTable(quality),
  sets: ({ quality }) => setsTable(quality),
  guard: ({ quality }) => oursTable(quality, OURS_ALONE),
  steadiness: ({ quality }) => oursTable(quality, STEADINESS),
  readme: ({ quality }) => readmeTable(quality),
  speed: ({ speed }) => speedTables(speed),
};
const BLOCK = /(<!-- figures: ([a-z]+) -->\n)[\s\S]*?(<!-- end of figures -->)/g;

/** The set of everyday runs whose authors had not seen the guard, for the README. */
const FAIREST = "everyday, set 9";
const OURS = "doomloop";
/** Columns by the short names of the rules, with their headings. */
const COLUMNS: Readonly<Record<string, string>> = {
  [OURS]: "**doomloop**",
  OpenHands: "OpenHands",
  "gemini-cli": "Gemini CLI",
  opencode: "opencode",
  stella: "stella",
  senpi: "senpi",
  "003": "3 in 10",
};
/** A row: its words, then the instrument and the figure that it shows. */
type Row = readonly [words: string, instrument: string, figure: string];

/** All rules, on the recorded runs. The newest set of everyday runs follows. */
const BY_RULE: readonly Row[] = [
  ["later windows: loops found", "later windows, a + d", "recall"],
  ["later windows: alarms that are right", "later windows, a + d", "precision"],
  ["later successes: runs told", "later successes", "spoken to"],
  ["recorded windows: loops found", "recorded windows", "recall"],
  ["recorded windows: alarms that are right", "recorded windows", "precision"],
  ["successes: runs told", "successes", "spoken to"],
  ["810 real sessions: sessions told", "real sessions", "spoken to"],
];
/** Our guard, set by set. */
const BY_SET: readonly (readonly [words: string, figure: string])[] = [
  ["healthy runs told", "innocents spoken to"],
  ["healthy runs refused a call", "innocents refused"],
  ["healthy runs ended", "innocents ended"],
  ["loops found in time", "loops found in time"],
  ["loops found late", "loops found late"],
  ["loops missed", "loops missed"],
];
/** Our guard: what is refused and ended. */
const OURS_ALONE: readonly Row[] = [
  ["plain loops: refused by 35, ended by 70", "plain loops", "usual: refused by 35, ended by 70"],
  ["plain loops, clear ones: refused by 10, ended by 20", "plain loops", "usual: clear ones by 10, 20"],
  ["stuck, repeats: ended", "reactions, stuck", "repeats: ended"],
  ["stuck, digresses: ended", "reactions, stuck", "digresses: ended"],
  ["stuck, varies a word: ended", "reactions, stuck", "varies a word: ended"],
  ["healthy, waits: refused", "reactions, honest", "waits: refused"],
  ["healthy, waits: ended", "reactions, honest", "waits: ended"],
  ["healthy, looks: ended", "reactions, honest", "looks: ended"],
  ["healthy, insists: ended", "reactions, honest", "insists: ended"],
  ["reworded: healthy runs told", "everyday, reworded", "innocents spoken to"],
  ["reworded: healthy runs ended", "everyday, reworded", "innocents ended"],
  ["reworded: loops found in time", "everyday, reworded", "loops found in time"],
  ["no clock, no rounds: healthy runs ended", "everyday variants", "no clock, no rounds: ended"],
];
/** The same runs, told in other words. */
const STEADINESS: readonly Row[] = [
  "loops that get an answer in time as they are",
  "loops that get the same answers",
  "healthy runs that are answered no harder",
  "overall",
].map((figure) => [figure, "steadiness", figure]);

/** Import paths whose size is shown. */
const LOADED = ["doomloop", "doomloop/ai-sdk", "doomloop/fleet", "doomloop/transcripts", "the command line"];

/** The tables of figures on the pages, from what `bench quality` and `bench speed` have measured last, with `--write`. */
export function keepFigures(): readonly string[] {
  const speed = JSON.parse(readText("bench/speed/results.json")) as Measured["speed"];
  const measured = { quality: readFigures(), speed };
  return ["README.md", "docs/quality.md", "docs/speed.md"].flatMap((page) =>
    keepFile(page, withFigures(readText(page), measured)),
  );
}

/** A page with its figures as they were measured last, each between the marks that name its table. */
function withFigures(page: string, measured: Measured): string {
  return page.replaceAll(BLOCK, (_all, start: string, name: string, end: string) => {
    const table = TABLES[name];
    if (table === undefined) throw new Error(`figures: there is no table named ${name}`);
    return `${start}${table(measured)}${end}`;
  });
}

/** Ours beside published rules. */
function rulesTable(measured: Figures): string {
  const newest: readonly Row[] = [
    [`${FAIREST}: healthy runs told`, FAIREST, "innocents spoken to"],
    [`${FAIREST}: loops found in time`, FAIREST, "loops found in time"],
  ];
  return byRule(measured, Object.keys(COLUMNS), [...BY_RULE, ...newest]);
}

function setsTable(measured: Figures): string {
  const sets = inOrder(measured).filter((name) => name.startsWith("everyday, set "));
  const rows = BY_SET.map(([words, figure]) => [
    words,
    ...sets.map((set) => measured[set]!.shown[figure]?.[OURS] ?? ""),
  ]);
  return toTable(["doomloop", ...sets.map((set) => set.replace("everyday, ", ""))], rows, 1);
}

/** Refusals and ends. */
function oursTable(measured: Figures, shown: readonly Row[]): string {
  const rows = shown.map(([words, instrument, figure]) => [words, shownIn(measured, instrument, figure)]);
  return toTable(["", "doomloop"], rows, 1);
}

function shownIn(measured: Figures, instrument: string, figure: string, rule: string = OURS): string {
  const values = measured[instrument]?.shown[figure];
  if (values === undefined) throw new Error(`figures: ${instrument} has no ${figure}`);
  return asPercent(values[rule] ?? "");
}

function byRule(measured: Figures, rules: readonly string[], rows: readonly Row[]): string {
  const cells = rows.map(([words, instrument, figure]) => [
    words,
    ...rules.map((rule) => shownIn(measured, instrument, figure, rule)),
  ]);
  return toTable(["", ...rules.map((rule) => COLUMNS[rule]!)], cells, 1);
}

/** Work that nobody had seen who made the rules. */
function readmeTable(measured: Figures): string {
  const rules = [OURS, "OpenHands", "gemini-cli", "opencode", "stella", "senpi"];
  const number = (name: string, words: RegExp): string => words.exec(measured[name]!.data)?.[1] ?? "?";
  const [windows, innocent, loops] = ["later windows, a + d", /^(\d+) innocent/, /(\d+)(?: of them)? loops$/];
  const rows: readonly Row[] = [
    [`↑ recorded loops found, of ${number(windows, loops)}`, windows, "recall"],
    [
      `↓ recorded runs that reached their goal: interrupted, of ${measured["later successes"]!.size}`,
      "later successes",
      "spoken to",
    ],
    [`↑ made-up loops found in time, of ${number(FAIREST, loops)}`, FAIREST, "loops found in time"],
    [`↓ made-up healthy runs: interrupted, of ${number(FAIREST, innocent)}`, FAIREST, "innocents spoken to"],
  ];
  return byRule(measured, rules, rows);
}

/** What was measured against which goal, and how much code the usual import paths load. */
function speedTables({ goals, sizes, machine }: Measured["speed"]): string {
  const measured = goals.map(({ what, measured, goal, unit, isMet }) => [
    what,
    `${measured.toFixed(2)} ${unit}`,
    `${goal} ${unit}${isMet ? "" : ", missed"}`,
  ]);
  const loaded = sizes
    .filter(({ path }) => LOADED.includes(path))
    .map(({ path, bytes }) => [path, `${(bytes / 1000).toFixed(0)} kB`]);
  return (
    `${toTable(["what", "measured", "goal"], measured, 1)}\nMeasured on ${machine}.\n\n` +
    toTable(["import path", "loads"], loaded, 1)
  );
}

/** A share as a percentage, as the others are. */
function asPercent(figure: string): string {
  return /^[01]\.\d\d$/.test(figure) ? `${Math.round(100 * Number(figure))}%` : figure;
}

/** Recorded runs first, then the everyday sets by number, then the rest as it was measured. */
function inOrder(measured: Figures): readonly string[] {
  const rank = (name: string): number => {
    const [, set] = /^everyday, set (\d+)$/.exec(name) ?? [];
    if (set !== undefined) return 100 + Number(set);
    if (name === "everyday, slow loops") return 999;
    return /^(?:recorded|successes|later|real)/.test(name) ? 0 : 1000;
  };
  return Object.keys(measured).sort((one, other) => rank(one) - rank(other));
}

function toTable(head: readonly string[], rows: readonly (readonly string[])[], words: number): string {
  const rule = head.map((_cell, at) => (at < words ? "---" : "--:"));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

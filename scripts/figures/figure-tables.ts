import type { Figures } from "../../bench/quality/committed-figures.ts";
import { toMarkdown } from "../../bench/speed/report.ts";
import { readText } from "../repository.ts";

/** What the benches have measured last, with `--write`. */
export interface Measured {
  readonly quality: Figures;
  readonly speed: Parameters<typeof toMarkdown>[0];
}

/** The tables of figures that pages show, by name. */
const TABLES: Readonly<Record<string, (measured: Measured) => string>> = {
  rules: ({ quality }) => rulesTable(quality),
  sets: ({ quality }) => setsTable(quality),
  guard: ({ quality }) => guardTable(quality),
  readme: ({ quality }) => readmeTable(quality),
  speed: ({ speed }) => `${toMarkdown(speed)}\n`,
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
  hermes: "hermes",
  stella: "stella",
  senpi: "senpi",
  "000": "twice",
  "003": "3 in 10",
};
/** Figures that the large table leaves to others. */
const BY_SET = [
  "innocents refused",
  "innocents ended",
  "arguable ones refused or ended",
  "words per innocent spoken to, median",
  "words per innocent spoken to, most",
  "loops found late",
  "loops missed",
  "loops spoken to early",
];

/** A page with its figures as they were measured last, each between the marks that name its table. */
export function withFigures(page: string, measured: Measured): string {
  return page.replaceAll(BLOCK, (_all, start: string, name: string, end: string) => {
    const table = TABLES[name];
    if (table === undefined) throw new Error(`figures: there is no table named ${name}`);
    return `${start}${table(measured)}${end}`;
  });
}

export function readSpeed(): Measured["speed"] {
  return JSON.parse(readText("bench/speed/results.json")) as Measured["speed"];
}

/** Ours beside published rules: all instruments that rules were asked about, the everyday sets last. */
function rulesTable(measured: Figures): string {
  const rows = inOrder(measured)
    .filter((name) => Object.values(measured[name]!.shown).some((values) => Object.keys(values).length > 1))
    .flatMap((name) => {
      const figures = Object.entries(measured[name]!.shown).filter(([figure]) => !BY_SET.includes(figure));
      return figures.map(([figure, values], at) => [
        at === 0 ? name : "",
        figure,
        ...Object.keys(COLUMNS).map((rule) => values[rule] ?? ""),
      ]);
    });
  return toTable(["instrument", "figure", ...Object.values(COLUMNS)], rows, 2);
}

/** What only our guard does, set by set. */
function setsTable(measured: Figures): string {
  const sets = inOrder(measured).filter((name) => name.startsWith("everyday, s"));
  const rows = BY_SET.map((figure) => [figure, ...sets.map((set) => measured[set]!.shown[figure]?.[OURS] ?? "")]);
  return toTable(["our guard alone", ...sets.map((set) => set.replace("everyday, ", ""))], rows, 1);
}

/** Refusals and ends: all other instruments. */
function guardTable(measured: Figures): string {
  const rows = inOrder(measured)
    .filter((name) => !/^everyday, s|windows$|windows,|successes$|sessions$/.test(name))
    .flatMap((name) =>
      Object.entries(measured[name]!.shown).map(([figure, values], at) => [
        at === 0 ? name : "",
        figure,
        values[OURS] ?? "",
      ]),
    );
  return toTable(["instrument", "figure", "doomloop"], rows, 2);
}

/** Work that nobody had seen who made the rules. */
function readmeTable(measured: Figures): string {
  const rules = [OURS, "OpenHands", "gemini-cli", "opencode", "stella", "senpi"];
  const number = (name: string, words: RegExp): string => words.exec(measured[name]!.data)?.[1] ?? "?";
  const [windows, innocent, loops] = ["later windows, a + d", /^(\d+) innocent/, /(\d+)(?: of them)? loops$/];
  const rows: readonly (readonly [words: string, instrument: string, figure: string])[] = [
    [`↑ recorded loops found, of ${number(windows, loops)}`, windows, "recall"],
    [
      `↓ recorded runs that reached their goal: interrupted, of ${measured["later successes"]!.size}`,
      "later successes",
      "spoken to",
    ],
    [`↑ made-up loops found in time, of ${number(FAIREST, loops)}`, FAIREST, "loops found in time"],
    [`↓ made-up healthy runs: interrupted, of ${number(FAIREST, innocent)}`, FAIREST, "innocents spoken to"],
  ];
  const cells = rows.map(([words, instrument, figure]) => [
    words,
    ...rules.map((rule) => asPercent(measured[instrument]!.shown[figure]?.[rule] ?? "")),
  ]);
  return toTable(["", ...rules.map((rule) => COLUMNS[rule]!)], cells, 1);
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

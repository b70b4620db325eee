import { lateSpending, sumLate } from "../../../doomloop/src/scan/report/amounts.ts";
import { closelyKnown } from "../../../doomloop/src/scan/report/answer.ts";
import { stoppedAt } from "../../../doomloop/src/scan/report/decisions.ts";
import { agentInWords, loopSentence } from "../../../doomloop/src/scan/report/headline.ts";
import type { LoopSummary, SessionSummary } from "../../../doomloop/src/scan/report/report.ts";
import { ACTION_ORDER, actionWords, callsInWords, count } from "../../../doomloop/src/scan/report/words.ts";
import { formatTime } from "../format/format-time.ts";
import { printable } from "../format/printable.ts";
import { callsOf, runInWords } from "./calls-in-loops.ts";
import { ribbonKey } from "./ribbon-key.ts";
import { ribbonBadges, ribbonMarks } from "./ribbon-marks.ts";
import { MAX_SLICES, ribbonSlices } from "./ribbon-slices.ts";
import type { RunPicture } from "./run-picture.ts";
import type { Grouping, StepGroup } from "./step-groups.ts";

/** The page's light colours: a picture of its own has no style sheet. A test compares the two. */
export const FILLS: Readonly<Record<string, string>> = {
  "colour-0": "#d55e00",
  "colour-1": "#56b4e9",
  "colour-2": "#f0e442",
  "colour-3": "#0072b2",
  "colour-4": "#009e73",
  "colour-5": "#cc79a7",
  "colour-6": "#e69f00",
  "colour-loop": "#a3243b",
  "colour-neutral": "#edede8",
};
const GAP_FILL = "#ffffff";
const LOOP_INK = "#a3243b";
const INK = "#1c1d1f";
const SOFT_INK = "#5c5d58";
const STOP_INK = "#b3122f";
const ACTION_INKS = new Map([
  ["nudge", "#8a5a00"],
  ["block", "#b0400a"],
  ["restart", "#b0400a"],
  ["stop", STOP_INK],
]);

const WIDTH = 960;
const MARGIN = 24;
const BAND = WIDTH - 2 * MARGIN;
const BAND_TOP = 132;
const BAND_HEIGHT = 56;
const LANE = 18;
const LINE = 26;
/** How much room a sign and its word take. */
const SIGN_WIDTH = 112;
const MAX_ROWS = 200;
/** Where the signs begin, after what introduces them. */
const SIGNS_LEFT = MARGIN + 176;
const MAX_NAME = 80;
/** What fits into the first line. */
const MAX_TITLE = 76;

export interface PicturedRun {
  readonly agent: string;
  readonly total: number;
  /** When the run was, and what it cost. */
  readonly session: SessionSummary | undefined;
}

/** A run's ribbon as a file to share: an SVG that loads nothing and runs nothing. All foreign text is escaped. */
export function ribbonSvg(
  picture: RunPicture,
  loops: readonly LoopSummary[],
  { agent, total, session }: PicturedRun,
): string {
  const { grouping, strip } = picture;
  const at = (calls: number) => MARGIN + (Math.min(total, calls) / Math.max(1, total)) * BAND;
  const marks = ribbonMarks(loops, total, BAND);
  const lanes = Math.max(1, ...marks.map(({ lane }) => lane + 1));
  const stop = stoppedAt(loops);
  const below = BAND_TOP + BAND_HEIGHT;
  const stopLine = below + lanes * LANE;
  const key = ribbonKey(picture, loops);
  const namesTop = stopLine + (stop === undefined ? 8 : LANE + 8);
  const actions = ACTION_ORDER.filter((action) => marks.some((mark) => mark.action === action));
  const signsTop = namesTop + key.length * LINE;
  const height = signsTop + (actions.length > 0 ? LINE : 0) + MARGIN;
  const title = runInWords(nameOf(agent), loops, total);
  const [worst] = loops
    .filter(({ isPossible }) => isPossible !== true)
    .toSorted((one, other) => other.afterOnset.calls - one.afterOnset.calls || other.count - one.count);
  const headline = worst === undefined ? title : loopSentence(agentInWords(agent), worst);
  const parts = [
    element("title", {}, title),
    `<defs><pattern id="hatch" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">${rect(0, 0, 3, 8, "#ffffff", { "fill-opacity": 0.45 })}</pattern></defs>`,
    rect(0, 0, WIDTH, height, "#ffffff"),
    words(MARGIN, 38, cut(headline, MAX_TITLE), { "font-size": 22, "font-weight": 700 }),
    ...(worst === undefined ? [] : [words(MARGIN, 62, cut(title, MAX_NAME), { "font-size": 16 })]),
    words(MARGIN, worst === undefined ? 62 : 86, factsOf(loops, session), { fill: SOFT_INK }),
    words(WIDTH - MARGIN, 62, "doomloop", {
      "text-anchor": "end",
      fill: LOOP_INK,
      "font-weight": 700,
      "font-size": 18,
    }),
    ...ribbonSlices(strip.cells, loops)
      .slice(0, MAX_SLICES)
      .map(({ start, length, colour }) =>
        filled(at(start), BAND_TOP, at(start + length) - at(start), BAND_HEIGHT, colour),
      ),
    ...(stop === undefined || stop >= total
      ? []
      : [
          rect(at(stop), BAND_TOP, at(total) - at(stop), BAND_HEIGHT, "#ffffff", { "fill-opacity": 0.62 }),
          rect(at(stop), BAND_TOP, 3, BAND_HEIGHT, STOP_INK),
        ]),
    rect(MARGIN, BAND_TOP, BAND, BAND_HEIGHT, "none", { stroke: "#85857d" }),
    ...loops.flatMap((loop) =>
      callsOf(loop)
        .slice(0, MAX_ROWS)
        .map(([first, last]) => rect(at(first - 1), BAND_TOP - 8, Math.max(3, at(last) - at(first - 1)), 3, LOOP_INK)),
    ),
    ...ribbonBadges(loops, total, BAND).flatMap(({ text, atPx, widthPx }) => [
      rect(MARGIN + atPx - widthPx / 2, BAND_TOP - 24, widthPx, 18, LOOP_INK, { rx: 9 }),
      words(MARGIN + atPx, BAND_TOP - 11, text, {
        "text-anchor": "middle",
        fill: "#ffffff",
        "font-weight": 700,
        "font-size": 12,
      }),
    ]),
    ...marks.map(({ call, action, lane }) =>
      words(at(call - 0.5), below + lane * LANE + 15, actionWords(action).mark, {
        "text-anchor": "middle",
        fill: ACTION_INKS.get(action) ?? INK,
      }),
    ),
    ...(stop === undefined
      ? []
      : [
          words(at(stop - 0.5), stopLine + 14, `doomloop would have stopped it at ${callsInWords(stop, stop)}`, {
            "text-anchor": stop > total / 2 ? "end" : "start",
            fill: STOP_INK,
          }),
        ]),
    ...key.flatMap(({ colour, group, words: rest = "" }, row) => [
      filled(MARGIN, namesTop + row * LINE, 18, 18, colour),
      words(MARGIN + 28, namesTop + row * LINE + 14, group === undefined ? rest : groupInWords(group, grouping)),
    ]),
    ...(actions.length > 0 ? [words(MARGIN, signsTop + 14, "doomloop would have")] : []),
    ...actions.flatMap((action, place) => [
      words(SIGNS_LEFT + place * SIGN_WIDTH, signsTop + 14, actionWords(action).mark, {
        fill: ACTION_INKS.get(action)!,
      }),
      words(SIGNS_LEFT + place * SIGN_WIDTH + 20, signsTop + 14, actionWords(action).done),
    ]),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="system-ui, sans-serif" font-size="14" fill="${INK}">\n${parts.join("\n")}\n</svg>\n`;
}

/** When it was and what it cost: `11 Nov 2026 · $1.20 in all · $0.29 of it after doomloop would have stepped in`. */
function factsOf(loops: readonly LoopSummary[], session: SessionSummary | undefined): string {
  const sure = loops.filter(({ isPossible }) => isPossible !== true);
  const late = closelyKnown(lateSpending(sumLate(sure.map(({ afterOnset }) => afterOnset))));
  const whole = session && closelyKnown(session);
  const facts = [
    session && formatTime(session.startedAt ?? session.endedAt, "day"),
    whole && `${whole} in all`,
    late && `${late} after doomloop would have stepped in`,
  ];
  return facts.filter((fact) => fact !== undefined).join(" · ");
}

function groupInWords({ letter, example, count: times }: StepGroup, grouping: Grouping): string {
  const name = nameOf(grouping === "tool" ? example.tool : example.label);
  return `${letter}  ${grouping === "outcome" ? "the outcome of " : ""}${name}, ${count(times)} times`;
}

function nameOf(text: string): string {
  return cut(text, MAX_NAME);
}

function cut(text: string, most: number): string {
  const whole = String(text);
  return whole.length > most ? `${whole.slice(0, most).toWellFormed()}…` : whole;
}

type Attributes = Readonly<Record<string, string | number>>;

function filled(x: number, y: number, width: number, height: number, colour: string): string {
  const [name = "", pattern] = colour.split(" ");
  const plain = rect(x, y, width, height, FILLS[name] ?? GAP_FILL);
  return pattern === undefined ? plain : `${plain}${rect(x, y, width, height, "url(#hatch)")}`;
}

function rect(x: number, y: number, width: number, height: number, fill: string, more: Attributes = {}): string {
  return element("rect", { x: short(x), y: short(y), width: short(width), height: short(height), fill, ...more });
}

function words(x: number, y: number, text: string, more: Attributes = {}): string {
  return element("text", { x: short(x), y: short(y), ...more }, text);
}

function short(value: number): number {
  return Math.round(value * 100) / 100;
}

/** An element of ours. Its text, and the values of its attributes, are escaped. */
function element(name: string, attributes: Attributes, text = ""): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(String(value))}"`);
  return `<${name}${written.join("")}>${escaped(text)}</${name}>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Nothing that XML forbids stays, and nothing that it reads as markup. */
function escaped(text: string): string {
  return printable(text)
    .replaceAll(/[\uFFFE\uFFFF]/g, "�")
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);
}

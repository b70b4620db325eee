import { actionWords, count, reasonWords } from "../../packages/doomloop/src/scan/report/words.ts";
import { printable } from "../../packages/viewer/src/format/printable.ts";
import type { CallRow, PlayedRun, Row } from "./play-run.ts";

export interface PictureOptions {
  readonly title: string;
  readonly width: number;
  /** `both` follows the reader's system. */
  readonly theme: "light" | "dark" | "both";
  /** Small print at the end. */
  readonly caption?: string;
}

/** A line of a picture. Everything is in letters of one width, so a line is as wide as it has characters. */
interface Line {
  readonly text: string;
  /** Classes of its text, and of what stands before it in bold. */
  readonly style: string;
  readonly bold?: string;
  /** A call, or words of the agent: its number, its letter and what it came to. */
  readonly step?: { readonly number: string; readonly letter: string; readonly outcome: string };
  readonly isInLoop: boolean;
}

type Step = Exclude<Row, { type: "user" | "compaction" | "pause" }>;

interface Loop {
  readonly onset: number;
  readonly end: number;
  readonly calls: ReadonlySet<number>;
}

const SIZE = 15;
/** The widest of the fonts that readers have. */
const CHARACTER = 0.61 * SIZE;
const [EDGE, TEXT_AT, HEIGHT, STEP_HEIGHT] = [20, 92, 21, 36];
const LEAST_FOLDED = 3;
/** As on the report page. */
const TILES = ["#d55e00", "#56b4e9", "#f0e442", "#009e73", "#cc79a7", "#e69f00"];
const COLOURS: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  ground: ["#ffffff", "#1b1e21"],
  sunken: ["#f0f0ec", "#23272b"],
  ink: ["#1c1d1f", "#e9eaeb"],
  soft: ["#5b5d61", "#a5abb1"],
  loop: ["#a3243b", "#ff8c9b"],
  failed: ["#b3122f", "#ff7386"],
  nudge: ["#8a5a00", "#f2b84b"],
  block: ["#b0400a", "#ff9a5c"],
  restart: ["#b0400a", "#ff9a5c"],
  stop: ["#b3122f", "#ff7386"],
};

/** Draws a run that was played as an SVG. The same run gives the same bytes. */
export function drawRun(run: PlayedRun, options: PictureOptions): string {
  const { width, title, theme } = options;
  const lines = linesOf(run, options);
  let top = 16;
  const body = lines.map((line) => {
    const height = line.step === undefined ? HEIGHT : STEP_HEIGHT;
    top += height;
    return drawLine(line, top - height, height, width);
  });
  const height = top + 14;
  const words = lines.map(({ bold = "", text, step }) => `${step?.number ?? ""} ${bold}${text} ${step?.outcome ?? ""}`);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="title desc" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">\n` +
    `<title id="title">${escapeText(title)}</title>\n<desc id="desc">${words
      .map((line) => escapeText(line.trim()))
      .join("\n")
      .trim()}</desc>\n` +
    `<style>\ntext{font:${SIZE}px ui-monospace,"SF Mono","Cascadia Code","DejaVu Sans Mono",Menlo,Consolas,monospace}\n` +
    `.bold,.letter{font-weight:700}.letter{fill:#000;text-anchor:middle}.end{text-anchor:end}\n${coloursIn(theme === "dark" ? 1 : 0)}` +
    `${theme === "both" ? `@media (prefers-color-scheme: dark){\n${coloursIn(1)}}\n` : ""}</style>\n` +
    `<rect class="ground" width="${width}" height="${height}" rx="10" stroke="#8888"/>\n${body.join("")}</svg>\n`
  );
}

function coloursIn(index: 0 | 1): string {
  return Object.entries(COLOURS)
    .map(([name, pair]) => `.${name}{fill:${pair[index]}}\n`)
    .join("");
}

function drawLine(
  { text, style, bold = "", step, isInLoop }: Line,
  top: number,
  height: number,
  width: number,
): string {
  const at = style === "title" ? EDGE : TEXT_AT;
  const baseline = top + height / 2 + 5;
  const isSaid = style.startsWith("said");
  const tile = TILES[(step?.letter.charCodeAt(0) ?? 0) - 65];
  const pieces = [
    isInLoop ? `<rect class="loop" x="10" y="${top}" width="3" height="${height}"/>` : "",
    isSaid ? `<rect class="sunken" x="${at - 8}" y="${top}" width="${width - at - 6}" height="${height}"/>` : "",
    isSaid ? `<rect class="${style.slice(5)}" x="${at - 8}" y="${top}" width="3" height="${height}"/>` : "",
    step && step.number !== "" ? `<text class="soft end" x="46" y="${baseline}">${step.number}</text>` : "",
    tile ? `<rect fill="${tile}" x="54" y="${top + 5}" width="26" height="26" rx="5"/>` : "",
    tile ? `<text class="letter" x="67" y="${baseline}">${step?.letter}</text>` : "",
    `<text class="${isSaid ? "ink" : style === "title" ? "ink bold" : style}" x="${at}" y="${baseline}">`,
    bold && `<tspan class="bold${isSaid ? ` ${style.slice(5)}` : ""}">${escapeText(bold)}</tspan>`,
    `${escapeText(text)}</text>`,
    step?.outcome
      ? `<text class="${outcomeStyle(step.outcome)} end" x="${width - EDGE}" y="${baseline}">${step.outcome}</text>`
      : "",
  ];
  return `${pieces.join("")}\n`;
}

function outcomeStyle(outcome: string): string {
  if (outcome.startsWith("failed")) return "failed";
  return outcome === "not run" ? "block" : outcome === "run ended" ? "stop" : "soft";
}

function linesOf({ rows, spared }: PlayedRun, { title, width, caption }: PictureOptions): readonly Line[] {
  const room = Math.floor((width - EDGE - TEXT_AT) / CHARACTER);
  const loops = loopsOf(rows);
  const letterOf = lettersOf([...rows, ...spared]);
  const lines: Line[] = [];
  const add = (text: string, style: string, more: Partial<Line> = {}) =>
    lines.push({ text, style, isInLoop: false, ...more });
  let hasSpoken = false;
  add(cut(title, Math.floor((width - 2 * EDGE) / CHARACTER)), "title");
  for (let place = 0; place < rows.length; ) {
    const row = rows[place]!;
    const times = timesFrom(rows, place, loops);
    const isInLoop = loops.some(({ onset, end }) => onset <= place && place <= end);
    if (!("said" in row)) add(cut(row.type === "user" ? `user: “${row.text}”` : row.text, room), "soft", { isInLoop });
    else {
      const outcome = row.type === "call" ? outcomeOf(row, isSameInLoop(rows, place, loops)) : "";
      const step = { number: row.type === "call" ? String(row.call) : "", letter: letterOf(row), outcome };
      const bold = row.type === "call" ? cut(row.tool, room / 2) : row.type === "text" ? "says" : "thinks";
      const words = row.type === "call" ? row.argument : `“${row.text.trim()}”`;
      add(` ${cut(words, room - bold.length - outcome.length - 2)}`, "ink", { bold, step, isInLoop });
      const uncounted = row.type === "call" ? uncountedWords(row) : undefined;
      if (uncounted !== undefined) for (const line of wrap(`○ ${uncounted}`, room)) add(line, "soft", { isInLoop });
      if (times > 1)
        for (const line of wrap(andSoOn(rows.slice(place, place + times)), room)) add(line, "soft", { isInLoop });
      for (const decision of times > 1 ? [] : row.said) {
        const { action, explanation, message } = decision;
        const heading = `${actionWords(action).mark} ${action} `;
        const wrapped = wrap(`${heading}${action === "stop" ? explanation : message}`, room - 1);
        for (const [at, line] of wrapped.entries())
          add(at === 0 ? line.slice(heading.length) : line, `said ${action}`, {
            isInLoop,
            ...(at === 0 && { bold: heading }),
          });
        hasSpoken = true;
      }
    }
    place += times;
  }
  const isLettered = rows.some((row) => "said" in row && letterOf(row) !== "");
  const last = [
    spared.length > 0 ? `Without the guard, it goes on for ${count(spared.length, "call more")}.` : "",
    hasSpoken ? "" : "The guard says nothing.",
    isLettered ? `Same letter: same ${rows.some(({ type }) => type === "call") ? "call" : "words"}.` : "",
    caption ?? "",
  ];
  add("", "soft");
  for (const line of wrap(last.filter(Boolean).join(" "), room)) add(line, "soft");
  return lines;
}

/** How calls go on that are drawn as one. */
function andSoOn(rows: readonly Row[]): string {
  const calls = rows.filter((row) => row.type === "call");
  const through = calls.filter(({ state }) => state !== "refused").map(({ call }) => call);
  const isMixed = through.length > 0 && through.length < calls.length;
  return `… and so on, up to call ${calls.at(-1)?.call}${isMixed ? `; only ${through.join(" and ")} got through` : ""}`;
}

/** What a call came to, in a word or two. */
function outcomeOf({ state, standing, said }: CallRow, isSame: boolean): string {
  if (state === "refused") return said.some(({ action }) => action === "stop") ? "run ended" : "not run";
  if (state === "open") return "";
  if (standing === "first") return isSame ? `${state}, as before` : state;
  return standing === "new" ? `${state}, new` : `${state}, as before`;
}

/** Why a call was not counted as a repeat; undefined if it was, or was none. */
function uncountedWords({ standing, state }: CallRow): string | undefined {
  if (state === "refused" || standing === "first" || standing === "counted" || standing === "new") return undefined;
  return `not counted as a repeat: ${reasonWords(standing)}`;
}

/** The loops that the guard speaks of, each once, as places among the rows. */
function loopsOf(rows: readonly Row[]): readonly Loop[] {
  const loops = new Map<string, Loop>();
  for (const [place, row] of rows.entries()) {
    for (const { finding } of "said" in row ? row.said : []) {
      if (finding === undefined) continue;
      const known = loops.get(finding.loop);
      const calls = new Set([...(known?.calls ?? []), ...finding.steps.map((step) => step + 1)]);
      const first = rows.findIndex((step) => step.type === "call" && calls.has(step.call));
      // Words are no steps.
      const begin = first < 0 ? Math.max(0, place - finding.count + 1) : first;
      loops.set(finding.loop, { onset: Math.min(known?.onset ?? place, begin), end: place, calls });
    }
  }
  return [...loops.values()];
}

/** Equal calls share a letter, and so do equal words; what comes once has none. */
function lettersOf(rows: readonly Row[]): (row: Step) => string {
  const times = new Map<string, number>();
  for (const row of rows) if ("said" in row) times.set(row.same, (times.get(row.same) ?? 0) + 1);
  const repeated = [...times].filter(([, count]) => count > 1).map(([same]) => same);
  return ({ same }) => String.fromCharCode(65 + repeated.indexOf(same)).replace("@", "");
}

/** How many rows from a place on are drawn as one, because the loop goes on and the guard says nothing new. */
function timesFrom(rows: readonly Row[], place: number, loops: readonly Loop[]): number {
  const signOf = (at: number): string | undefined => {
    const row = rows[at];
    if (row?.type !== "call" || uncountedWords(row) !== undefined) return undefined;
    // Of calls that were refused before, some get through: the agent insists.
    const isRefusedBefore = rows
      .slice(0, at)
      .some((other) => other.type === "call" && other.same === row.same && other.state === "refused");
    if (isRefusedBefore && row.said.every(({ action }) => action === "block")) return `insists ${row.same}`;
    if (row.said.length > 0) return undefined;
    return JSON.stringify([row.same, outcomeOf(row, isSameInLoop(rows, at, loops))]);
  };
  const sign = signOf(place);
  let end = place + 1;
  while (sign !== undefined && signOf(end) === sign) end++;
  return end - place < LEAST_FOLDED ? 1 : end - place;
}

/** Whether a call shows a loop, and an earlier one that shows it came to the same. */
function isSameInLoop(rows: readonly Row[], place: number, loops: readonly Loop[]): boolean {
  const row = rows[place]!;
  const loop = row.type === "call" && loops.find(({ calls }) => calls.has(row.call));
  if (!loop) return false;
  return rows
    .slice(0, place)
    .some((other) => other.type === "call" && loop.calls.has(other.call) && other.outcome === row.outcome);
}

/** Foreign text for an SVG: nothing in it is markup, nothing in it is invisible. */
function escapeText(text: string): string {
  return printable(text.toWellFormed()).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A text, cut visibly in its middle where it is too long: how it ends may be all that differs. */
function cut(text: string, most: number): string {
  const characters = [...printable(text.replaceAll(/\s+/g, " "))];
  if (characters.length <= most) return characters.join("");
  const head = Math.max(1, Math.ceil((most - 1) * 0.55));
  const tail = Math.max(0, Math.floor(most) - 1 - head);
  return `${characters.slice(0, head).join("")}…${characters.slice(characters.length - tail).join("")}`;
}

/** A text in lines, broken between words. */
function wrap(text: string, most: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const longer = `${lines.at(-1) ?? ""} ${word}`.trim();
    if (lines.length > 0 && longer.length <= most) lines[lines.length - 1] = longer;
    else lines.push(cut(word, most));
  }
  return lines;
}

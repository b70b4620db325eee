import type { Action } from "../../packages/doomloop/src/core/decision.ts";
import { evidenceJudge } from "../../packages/doomloop/src/core/evidence/evidence-judge.ts";
import type { Pressure } from "../../packages/doomloop/src/core/evidence/pressure.ts";
import { createCoreGuard } from "../../packages/doomloop/src/core/guard.ts";
import type { JudgeTerms } from "../../packages/doomloop/src/core/judge.ts";
import type { ResolvedOptions } from "../../packages/doomloop/src/core/options.ts";
import { presetOf } from "../../packages/doomloop/src/core/policy/levels.ts";
import type { AgentEvent } from "../../packages/doomloop/src/index.ts";
import { platform } from "../../packages/doomloop/src/platform.ts";
import { actionWords } from "../../packages/doomloop/src/scan/report/words.ts";

/** A call of a run, and the evidence of the run after it, in plain repeats. */
export interface Weighed {
  readonly evidence: number;
  readonly action: Action;
}

/** A stretch of a run, and what the evidence does in it. */
export interface Phase {
  readonly from: number;
  readonly to: number;
  readonly does: "rises" | "falls" | "stays";
  readonly words: string;
}

const SIZE = 13;
const CHARACTER = 0.61 * SIZE;
const [LEFT, RIGHT, TOP, PLOT, LINE] = [92, 8, 28, 210, 19];
/** Numbers of calls that are closer are left out. */
const CLOSE = 24;
const COLOURS: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  ground: ["#ffffff", "#1b1e21"],
  ink: ["#1c1d1f", "#e9eaeb"],
  soft: ["#5b5d61", "#a5abb1"],
  continue: ["#9aa5b1", "#77828d"],
  nudge: ["#b27600", "#f2b84b"],
  block: ["#c2470b", "#ff9a5c"],
  stop: ["#b3122f", "#ff7386"],
};
const MEANING = { nudge: "told", block: "refused", stop: "ended" } as const;

/** Plays a run through a guard with default options. Nothing is recorded after the guard has ended it. */
export function weighRun(events: readonly AgentEvent[]): readonly Weighed[] {
  let evidence = (): number => 0;
  const judgeBy = (options: ResolvedOptions) => {
    const judge = evidenceJudge(options);
    type Memory = { readonly pressure: Pressure };
    return {
      ...judge,
      create(memory: unknown, terms: JudgeTerms) {
        evidence = () => evidenceOf((memory as Memory).pressure, terms);
        return judge.create(memory as Parameters<typeof judge.create>[0], terms);
      },
    };
  };
  const guard = createCoreGuard({}, platform, { judgeBy: judgeBy as never });
  const weighed: Weighed[] = [];
  let refused: Action | undefined;
  for (const event of events) {
    if (weighed.at(-1)?.action === "stop") break;
    if (event.type === "call") {
      const { action } = guard.observe(event);
      refused = action === "block" || action === "stop" ? action : undefined;
    } else if (event.type === "result") {
      const answer = refused === undefined ? event : { ...event, output: undefined, error: undefined, synthetic: true };
      const { action } = guard.observe(answer);
      weighed.push({ evidence: evidence(), action: refused ?? action });
    } else guard.observe(event);
  }
  return weighed;
}

/** Before anything was said, the topic with most evidence counts: the first call and its repeats. */
function evidenceOf({ level }: Pressure, { guard }: JudgeTerms): number {
  const most = Math.max(0, ...[...guard.run.topics.values()].map(({ evidence }) => evidence));
  return level > 0 || most === 0 ? level : most + 1;
}

/** What the words beside a picture say, and the run does not do. */
export function phaseFaults(run: readonly Weighed[], phases: readonly Phase[]): readonly string[] {
  return phases.flatMap(({ from, to, does, words }) => {
    const change = (run[to - 1]?.evidence ?? 0) - (run[from - 1]?.evidence ?? 0);
    const did = change > 0 ? "rises" : change < 0 ? "falls" : "stays";
    return did === does ? [] : [`calls ${from} to ${to}: the evidence ${did}, and "${words}" is said of it`];
  });
}

/** Draws the evidence of a run, call by call, with the levels at which something happens, and a line about each phase below. */
export function drawEvidence(run: readonly Weighed[], phases: readonly Phase[], title: string, width: number): string {
  const { told, refused, ended } = presetOf("balanced").levels;
  const bar = (width - LEFT - RIGHT) / run.length;
  const yOf = (evidence: number) => round(TOP + PLOT * (1 - evidence / ended));
  const floor = yOf(0);
  const levels = Object.entries({ ended, refused, told }).map(
    ([word, level]) =>
      `<path class="line" d="M${LEFT} ${yOf(level)}H${width - RIGHT}"/><text class="soft end" x="${LEFT - 8}" y="${yOf(level) + 4}">${word} ${level}</text>\n`,
  );
  const bars = run.map(({ evidence, action }, index) => {
    const x = round(LEFT + index * bar);
    const mark = action === "continue" ? "" : actionWords(action).mark;
    return (
      `<rect class="${action}" x="${x + 1}" y="${yOf(evidence)}" width="${round(bar - 2)}" height="${round(floor - yOf(evidence) + 1)}"/>` +
      `${mark && `<text class="${action} mark" x="${round(x + bar / 2)}" y="${yOf(evidence) - 5}">${mark}</text>`}\n`
    );
  });
  const numbers = phases.map(({ from }) => from).filter((call) => (run.length - call) * bar > CLOSE);
  const far = numbers.filter((call, at) => at === 0 || (call - numbers[at - 1]!) * bar > CLOSE);
  const axis = [...far, run.length].map(
    (call) => `<text class="soft mark" x="${round(LEFT + (call - 0.5) * bar)}" y="${floor + 17}">${call}</text>`,
  );
  const room = Math.floor((width - 110) / CHARACTER);
  let y = floor + 44;
  const below = phases.flatMap(({ from, to, words }) =>
    wrap(words, room).map((line, at) => {
      const range = at > 0 ? "" : from === to ? `call ${from}` : `${from} to ${to}`;
      const text = `<text class="soft" x="12" y="${y}">${range}</text><text class="ink" x="102" y="${y}">${line}</text>\n`;
      y += LINE;
      return text;
    }),
  );
  const key = Object.entries(MEANING).map(([action, word]) => `${actionWords(action as Action).mark} ${word}`);
  const height = y + LINE;
  const words = phases.map(({ from, to, words }) => `Calls ${from} to ${to}: ${words}`).join("\n");
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="title desc" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">\n` +
    `<title id="title">${title}</title>\n<desc id="desc">${words}</desc>\n` +
    `<style>\ntext{font:${SIZE}px ui-monospace,"SF Mono","Cascadia Code","DejaVu Sans Mono",Menlo,Consolas,monospace}\n` +
    `.end{text-anchor:end}.mark{text-anchor:middle;font-size:${Math.min(12, round(bar * 1.5))}px}.line{stroke:#8888;stroke-dasharray:4 4}\n${coloursIn(0)}` +
    `@media (prefers-color-scheme: dark){\n${coloursIn(1)}}\n</style>\n` +
    `<rect class="ground" width="${width}" height="${height}" rx="10" stroke="#8888"/>\n` +
    `${levels.join("")}<path stroke="#8888" d="M${LEFT} ${floor + 1}H${width - RIGHT}"/>\n${bars.join("")}` +
    `<text class="soft end" x="${LEFT - 8}" y="${floor + 17}">call</text>${axis.join("")}\n${below.join("")}` +
    `<text class="soft" x="12" y="${y + 6}">${key.join(", ")}</text>\n</svg>\n`
  );
}

function coloursIn(index: 0 | 1): string {
  return Object.entries(COLOURS)
    .map(([name, pair]) => `.${name}{fill:${pair[index]}}\n`)
    .join("");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A text in lines, broken between words. */
function wrap(text: string, most: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1) ?? ""} ${word}`.trim();
    if (lines.length > 0 && longer.length <= most) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

import type { LoopSummary } from "../../../doomloop/src/scan/report/report.ts";
import { ACTION_ORDER, isOfAnswers } from "../../../doomloop/src/scan/report/words.ts";
import { callsOf } from "./calls-in-loops.ts";

export interface RibbonMark {
  /** The call, or half a call more for what comes after it. */
  readonly call: number;
  readonly action: string;
  /** Different marks that would lie on each other stand below each other, from 0. */
  readonly lane: number;
}

/** How much room a mark takes. */
const MARK_PX = 18;

/**
 * What the guard would have done, for a ribbon of a width: of equal marks that would lie on each other, the first. If different
 * ones would, each kind has a lane of its own.
 */
export function ribbonMarks(loops: readonly LoopSummary[], total: number, widthPx: number): readonly RibbonMark[] {
  const latest = new Map<string, number>();
  const placed: { readonly call: number; readonly action: string; readonly at: number }[] = [];
  const decisions = loops
    .flatMap((loop) =>
      loop.decisions.map(({ call, action }) => ({ call: isOfAnswers(loop) ? call + 0.5 : call, action })),
    )
    .toSorted((one, other) => one.call - other.call);
  for (const { call, action } of decisions) {
    const at = (call / Math.max(1, total)) * widthPx;
    if (at - (latest.get(action) ?? Number.NEGATIVE_INFINITY) < MARK_PX) continue;
    latest.set(action, at);
    placed.push({ call, action, at });
  }
  const isCrowded = placed.some(({ at }, index) => index > 0 && at - placed[index - 1]!.at < MARK_PX);
  const actions = [...new Set([...ACTION_ORDER, ...latest.keys()])].filter((action) => latest.has(action));
  return placed.map(({ call, action }) => ({ call, action, lane: isCrowded ? actions.indexOf(action) : 0 }));
}

export interface RibbonBadge {
  /** `3`, `1–4`, or `5 loops` if others lie between them. */
  readonly text: string;
  /** The badge's centre. */
  readonly atPx: number;
  readonly widthPx: number;
}

const LETTER_PX = 8;
const PADDING_PX = 12;

/** The numbers of the loops, for a ribbon of a width. Numbers that would lie on each other share a badge. */
export function ribbonBadges(loops: readonly LoopSummary[], total: number, widthPx: number): readonly RibbonBadge[] {
  const placed: { numbers: readonly number[]; first: number; last: number }[] = [];
  const all = loops
    .map((loop, index) => {
      const [first, last] = callsOf(loop)[0] ?? [loop.onset, loop.end];
      return { number: index + 1, at: ((first - 1 + last) / 2 / Math.max(1, total)) * widthPx };
    })
    .sort((one, other) => one.at - other.at);
  for (const { number, at } of all) {
    let badge = { numbers: [number], first: at, last: at };
    for (let before = placed.at(-1); before !== undefined; before = placed.at(-1)) {
      const [left, right] = [badgeOf(before, widthPx), badgeOf(badge, widthPx)];
      if (left.atPx + left.widthPx / 2 <= right.atPx - right.widthPx / 2) break;
      placed.pop();
      badge = { numbers: [...before.numbers, ...badge.numbers], first: before.first, last: at };
    }
    placed.push(badge);
  }
  return placed.map((badge) => badgeOf(badge, widthPx));
}

function badgeOf(
  { numbers, first, last }: { readonly numbers: readonly number[]; readonly first: number; readonly last: number },
  ribbonPx: number,
): RibbonBadge {
  const text = numbersInWords(numbers);
  const widthPx = text.length * LETTER_PX + PADDING_PX;
  const atPx = Math.max(widthPx / 2, Math.min(ribbonPx - widthPx / 2, (first + last) / 2));
  return { text, atPx, widthPx };
}

function numbersInWords(numbers: readonly number[]): string {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  if (least === most) return `${least}`;
  return most - least + 1 === numbers.length ? `${least}–${most}` : `${numbers.length} loops`;
}

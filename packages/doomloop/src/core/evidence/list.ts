import { likeness } from "../identity/stems.ts";
import type { Step } from "../memory/step.ts";
import { ABOUT_ONE, NEARLY } from "./numbers.ts";

/** Latest steps that show whether an agent works through a list. */
const LISTED = 8;
/** An item has few words; those that most of them share belong to the work. */
const ITEM_WORDS = 4;
/** Items whose words come again are no items. */
const REUSED = 0.6;

/** Whether different calls are the items of a list: one place varies, by something else each time. */
export function isList(row: readonly Step[], step: Step): boolean {
  if (step.failure?.isClosedDoor === true || (step.effect === "write" && step.brings)) return false;
  const last = row.slice(-LISTED);
  const isGiven = step.effect !== "move" && last.every((each) => each.isGiven);
  if (isGiven && new Set(row.map(({ key }) => key)).size === row.length) return true;
  if (step.isNo && isCounted(last)) return false;
  const counts = countsOf(last);
  const own = last.map(({ stems }) => [...new Set(stems)].filter((stem) => counts.get(stem)! < NEARLY * last.length));
  const sizes = new Set(last.map(({ stems }) => stems.length));
  // The 11th of November has no number of its own, but it is another day.
  const bare = own.findIndex((each, at) => each.length === 0 && last[at]!.numbers.length > 0);
  const isAgain = bare >= 0 && last.filter(({ key }) => key === last[bare]!.key).length > 1;
  if (isAgain || own.some((each, at) => each.length > ITEM_WORDS || (each.length === 0 && at !== bare))) return false;
  if (sizes.size > 2) return false;
  return own.filter((each) => each.some((stem) => counts.get(stem)! > 1)).length < REUSED * own.length;
}

/** In how many steps each stem stands. */
function countsOf(steps: readonly Step[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { stems } of steps) for (const stem of new Set(stems)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return counts;
}

/** Whether calls differ in a number only, which goes up or down by one: made up as they go. */
export function isCounted(row: readonly Step[]): boolean {
  const [first] = row;
  if (first === undefined || !row.every(({ shape }) => shape === first.shape)) return false;
  return first.numbers.some((_, place) =>
    row.every((each, at) => at === 0 || Math.abs(each.numbers[place]! - row[at - 1]!.numbers[place]!) === 1),
  );
}

/** Whether all of them show the same file. */
export function isOneSubject(row: readonly Step[]): boolean {
  const [first] = row;
  return (
    first?.substance !== undefined &&
    row.every(({ effect, substance }) => effect === "look" && substance === first.substance)
  );
}

/** Whether two calls are about one thing: they share words, or differ in numbers only. */
export function isAbout(one: Pick<Step, "shape" | "stems">, other: Pick<Step, "shape" | "stems">): boolean {
  return one.shape === other.shape || likeness(one.stems, other.stems) >= ABOUT_ONE;
}

/** Whether each call is about what the one before was about, by their words. */
export function areAboutOne(row: readonly Step[]): boolean {
  let sum = 0;
  for (const [at, { stems, shape }] of row.entries()) {
    const before = row[at - 1];
    if (before !== undefined) sum += before.shape === shape ? 1 : likeness(stems, before.stems);
  }
  return sum / Math.max(1, row.length - 1) >= ABOUT_ONE;
}

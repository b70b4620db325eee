import { countAmongLast, endsInLaps, holdsAt, range } from "./holds-at.ts";

/** A call and the ten before it. */
const WINDOW = 11;

/** Founding document 003: a call made twice among the ten before it, or two to five calls in turn twice. */
export const founding003 = holdsAt(
  (steps, at) =>
    countAmongLast(steps, at, WINDOW, ({ key }) => key) >= 3 ||
    range(2, 5).some((period) => endsInLaps(steps, at, { period, laps: 2, identity: ({ key }) => key })),
);

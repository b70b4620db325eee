import { endsInLaps, holdsAt, range } from "./holds-at.ts";

/** Founding document 000: a call that follows itself, two calls in turn twice, three calls in turn twice. */
export const founding000 = holdsAt((steps, at) =>
  range(1, 3).some((period) => endsInLaps(steps, at, { period, laps: 2, identity: ({ key }) => key })),
);

import { endsInLaps, holdsAt, range } from "./holds-at.ts";

/** gemini-cli: one to five calls in turn, five times over. Arguments in another order make another call. */
export const geminiCli = holdsAt((steps, at) =>
  range(1, 5).some((period) => endsInLaps(steps, at, { period, laps: 5, identity: ({ literalKey }) => literalKey })),
);

import { endsInLaps, holdsAt } from "./holds-at.ts";

/** opencode: three equal calls in a row. It looks at one model answer only; here, in its favour, at the whole run. */
export const opencode = holdsAt((steps, at) =>
  endsInLaps(steps, at, { period: 1, laps: 3, identity: ({ literalKey }) => literalKey }),
);

import type { ModelTurn } from "./model-turn.ts";

/** The call of a loop that is refused, and the one at which the run is stopped: seven and seventeen rounds after the first words. */
export const REFUSED_AT = 10;
export const STOPPED_AT = 20;

/** How long a round must take for a refusal to be due by then, and for a stop. */
export const REFUSED_MS = 2_200;
export const STOPPED_MS = 3_600;

/** A model that goes in circles and takes so long for each request, once it was told. A hook has no other pace than that of users. */
export function slowly(script: (request: number) => ModelTurn, roundMs: number): (request: number) => ModelTurn {
  return (request) => (request > 3 ? { ...script(request), afterMs: roundMs } : script(request));
}

import { countAmongLast, holdsAt, type Identity } from "./holds-at.ts";

const LEFT_OUT = new Set(["sequential_thinking", "complete", "start_over"]);
/** As much of a result is compared. */
const RESULT_LENGTH = 500;

const identity: Identity = ({ tool, key, output }) =>
  output === undefined || LEFT_OUT.has(tool) ? undefined : `${key}\n${output.slice(0, RESULT_LENGTH)}`;

/** Founding document 004: the same call with the same result five times among the last twenty. */
export const founding004 = holdsAt((steps, at) => countAmongLast(steps, at, 20, identity) >= 5);

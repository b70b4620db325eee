import type { Words } from "../reading/text.ts";
import type { Effect } from "../step.ts";
import { type CallHint, type Fields, isIncidental, readCall } from "./calls.ts";
import { withoutFrame } from "./frame.ts";
import { NO_REQUEST, type Request, readRequest, saysGoOn } from "./request.ts";
import { didNotRun, NO_RESULT_HINT, type ResultHint, readResult } from "./results.ts";

/** All that words can suggest. Whatever reads natural language stands behind this; facts decide, and a hint only says how fast. */
export interface Hints {
  call(tool: string, fields: Fields, args: unknown): CallHint;
  /** Whether an argument of this name does not change what is asked for. */
  isIncidental(name: string): boolean;
  result(words: Words, length: number, effect: Effect, hasLines: boolean): ResultHint;
  /** Whether a result says that its call never ran. */
  didNotRun(text: string): boolean;
  request(text: string): Request;
  saysGoOn(text: string): boolean;
  /** A text without what a harness says in it. */
  withoutFrame(text: string): string;
}

export const HINTS: Hints = {
  call: readCall,
  isIncidental,
  result: readResult,
  didNotRun,
  request: readRequest,
  saysGoOn,
  withoutFrame,
};

const NO_CALL_HINT: CallHint = { effect: "watch", subject: undefined, waitMs: 0, isWayOut: false, command: undefined };

/** Says nothing: for tests, and to know what words are worth. */
export const NO_HINTS: Hints = {
  call: () => NO_CALL_HINT,
  isIncidental: () => false,
  result: () => NO_RESULT_HINT,
  didNotRun: () => false,
  request: () => NO_REQUEST,
  saysGoOn: () => false,
  withoutFrame: (text) => text,
};

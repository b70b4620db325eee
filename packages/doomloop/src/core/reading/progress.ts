import { hashOf } from "../hash.ts";
import { mark } from "./marks.ts";
import { ONE_WORD } from "../numbers.ts";
import type { Call, Outcome, Step } from "../step.ts";
import type { RunMemory, ShortAnswer } from "./run-memory.ts";
import type { Told } from "./tell.ts";

/** In an outcome that brings something new, more than one in so many pieces is new; fewer pieces are new as a whole or not at all. */
const PIECES_PER_NEW_ONE = 6;
const FEW_PIECES = 3;
const MOST_ANSWERS = 24;
const MOST_TOOLS = 12;
/** A short answer is a no once so many calls got it, so many of them different, and the tool has more to say otherwise. */
const SHORT_NO = 120;
const NO_TIMES = 4;
const CLEARLY_MORE = 1.5;
const USUAL = 3;
const NO_REPEATS = 2;

/** What a result brought the run: something it had not seen, a possible change, or neither. */
export function progressOf(
  run: RunMemory,
  call: Call,
  outcome: Outcome,
  { result, isDone, pieces }: Told,
): Step["progress"] {
  let fresh = 0;
  for (const piece of pieces) if (mark(run.pieces, piece)) fresh++;
  const isFirst = mark(run.met, result ^ 2);
  const isLook = call.effect === "look" || call.effect === "watch";
  if (outcome === "failed" || outcome === "no" || (outcome === "empty" && isLook)) return "none";
  const isFirstSuccess = mark(run.met, call.call ^ 3);
  if (isFirstSuccess && mayChange(call, isDone, pieces.length, fresh)) return "change";
  if (outcome === "empty") return "none";
  const isNew = pieces.length < FEW_PIECES || fresh * PIECES_PER_NEW_ONE > pieces.length;
  return isFirst && isNew ? "news" : "none";
}

/** What other calls were answered before at length is no sign that this one did anything. */
function mayChange({ effect }: Call, isDone: boolean, pieces: number, fresh: number): boolean {
  if (effect === "write" || effect === "test") return true;
  // Who was told something at length may have done it.
  if (effect === "say") return pieces > 0 && fresh === pieces;
  return effect === "act" && (isDone || pieces === 0 || fresh > 0);
}

/**
 * Whether a short answer is a no: several different calls of a tool got it, which otherwise has more to say. It is known late. Notes the
 * answer.
 */
export function isNo(run: RunMemory, call: Call, { result }: Told, length: number): boolean {
  const tool = hashOf(call.tool);
  if (call.effect === "write" || call.effect === "say" || call.effect === "test" || call.effect === "wait")
    return false;
  const known = run.answersOf.find((each) => each.tool === tool);
  const answers = known?.answers ?? [];
  const before = answers.find((each) => each.result === result);
  if (before === undefined && answers.length === MOST_ANSWERS) return false;
  const { calls = [], times = 0, repeats = 0 } = before ?? {};
  const now: ShortAnswer = {
    result,
    length,
    calls: calls.length < 2 && !calls.includes(call.call) ? [...calls, call.call] : calls,
    times: times + 1,
    repeats: repeats + (call.isNewCall ? 0 : 1),
  };
  const all = before === undefined ? [...answers, now] : answers.map((each) => (each === before ? now : each));
  run.answersOf = [...run.answersOf.filter((each) => each !== known), { tool, answers: all }].slice(-MOST_TOOLS);
  if (length > SHORT_NO || now.calls.length < 2 || now.times < NO_TIMES) return false;
  // What a tool said first is its usual answer, and an exception that says more makes no "no" of it. Several are no exceptions.
  const more = all.filter((each) => each.length > CLEARLY_MORE * length && each.calls.length === 1);
  if (more.length >= USUAL || more.some((each) => all.indexOf(each) < all.indexOf(now))) return true;
  return all.length === 1 && now.repeats >= NO_REPEATS && length > ONE_WORD;
}

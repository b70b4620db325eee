import type { Hints } from "../hints/index.ts";
import { MOST_TIMES, type Request } from "../hints/request.ts";
import { areAlike, stemsOf } from "../identity/stems.ts";
import { nameWords } from "./named-words.ts";
import type { RunMemory } from "./run-memory.ts";

/** What is compared of a text. */
const COMPARED = 2_000;
/** A text that asks for nothing and is no longer leaves the earlier orders as they are. */
const SHORT_TEXT = 120;
/** A text of fewer words may come again from a person, and any text where nothing was done: so many times. */
const HARNESS_WORDS = 4;
const FEW_TIMES = 2;
const PATIENT_TIMES = 8;
const MAX_TEXTS = 8;

/**
 * Hears the user. Returns whether somebody spoke: a text that comes again after calls is a harness's, and resets nothing. A person may
 * say a few words again ("yes", "go on"), or ask again where nothing was done, but not for ever.
 */
export function hearUser(run: RunMemory, text: string, hints: Hints): boolean {
  nameWords(run, text);
  // A harness may count its messages, but it uses the same words.
  const stems = stemsOf(text.slice(0, COMPARED).replace(/\d{1,20}/g, " "));
  const known = text.trim() === "" ? undefined : run.userTexts.find((other) => areAlike(stems, other.stems));
  const wanted = hints.request(hints.withoutFrame(text));
  if (known === undefined) {
    run.userTexts.push({ stems, times: 1 });
    if (run.userTexts.length > MAX_TEXTS) run.userTexts.splice(1, 1);
    run.request = stillWanted(run.request, wanted, text);
    return true;
  }
  if (++known.times > PATIENT_TIMES) return false;
  run.request = wanted.orders.length === 0 ? stillWanted(run.request, wanted, text) : askedAgain(run.request, wanted);
  if (run.calls === run.from) return true;
  return stems.length < HARNESS_WORDS && !(known.times > FEW_TIMES && hints.saysGoOn(text));
}

/** A user who says no more than "go on" still wants what was ordered before, where that names the call. */
function stillWanted(before: Request, wanted: Request, text: string): Request {
  if (wanted.orders.length > 0 || text.length > SHORT_TEXT) return wanted;
  return { ...wanted, orders: before.orders.map((order) => ({ ...order, isAll: false })) };
}

/** A user who asks for eight runs once more wants eight more. */
function askedAgain(before: Request, wanted: Request): Request {
  const orders = wanted.orders.map((order, at) => ({
    ...order,
    times: order.times === 0 ? 0 : Math.min(MOST_TIMES, order.times + (before.orders[at]?.times ?? 0)),
  }));
  return { ...wanted, orders };
}

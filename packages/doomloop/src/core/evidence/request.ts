import { withoutFrame } from "../hints/frame.ts";
import { MOST_TIMES, type Order, type Request, readRequest, saysGoOn } from "../hints/request.ts";
import { areAlike, stemsOf } from "../identity/stems.ts";
import { isMarked, mark } from "../memory/marks.ts";
import type { RunState } from "../memory/run-state.ts";
import { isFailing, type Step } from "../memory/step.ts";
import { everyWord } from "../outcome/mask-text.ts";

/** What is remembered of the words of a text. */
const NAMED = 2_000;
/** A text that asks for nothing and is no longer leaves the earlier orders as they are. */
const SHORT_TEXT = 120;
/** A text of fewer words may come again from a person, and any text where nothing was done: so many times. */
const HARNESS_WORDS = 4;
const FEW_TIMES = 2;
const PATIENT_TIMES = 8;
const MAX_TEXTS = 8;
/** A name has few words. */
const NAME_WORDS = 3;
const SHORTEST_WORD = 3;

/**
 * Hears the user. Returns whether somebody spoke: a text that comes again after calls is a harness's, and resets nothing. A person may
 * say a few words again ("yes", "go on"), or ask again where nothing was done, but not for ever.
 */
export function hearUser(run: RunState, text: string): boolean {
  nameWords(run, text);
  // A harness may count its messages, but it uses the same words.
  const stems = stemsOf(text.slice(0, NAMED).replace(/\d{1,20}/g, " "));
  const known = text.trim() === "" ? undefined : run.userTexts.find((other) => areAlike(stems, other.stems));
  const wanted = readRequest(withoutFrame(text));
  if (known === undefined) {
    run.userTexts.push({ stems, times: 1 });
    if (run.userTexts.length > MAX_TEXTS) run.userTexts.splice(1, 1);
    run.wanted = stillWanted(run.wanted, wanted, text);
    return true;
  }
  if (++known.times > PATIENT_TIMES) return false;
  run.wanted = wanted.orders.length === 0 ? stillWanted(run.wanted, wanted, text) : askedAgain(run.wanted, wanted);
  if (run.calls === run.from) return true;
  return stems.length < HARNESS_WORDS && !(known.times > FEW_TIMES && saysGoOn(text));
}

/** Who says no more than "go on" still wants what was ordered before, where that names the call. */
function stillWanted(before: Request, wanted: Request, text: string): Request {
  if (wanted.orders.length > 0 || text.length > SHORT_TEXT) return wanted;
  return { ...wanted, orders: before.orders.map((order) => ({ ...order, isAll: false })) };
}

/** Who asks for eight runs once more wants eight more. */
function askedAgain(before: Request, wanted: Request): Request {
  const orders = wanted.orders.map((order, at) => ({
    ...order,
    times: order.times === 0 ? 0 : Math.min(MOST_TIMES, order.times + (before.orders[at]?.times ?? 0)),
  }));
  return { ...wanted, orders };
}

/** What a request says about one call. */
export interface Asked {
  /** So many calls are what was asked for. */
  readonly times: number;
  readonly isSeries: boolean;
  /** So many repeats are worth less. */
  readonly hinted: number;
}

const NOTHING_ASKED: Asked = { times: 0, isSeries: false, hinted: 0 };

/**
 * What the request says about a call. An order counts for the call that it names; in a short request, for all calls but plain repeats.
 * Other words put the first words about a loop off by one repeat, and those about a plain one not at all.
 */
export function askedOf({ wanted }: RunState, step: Step): Asked {
  if (!wanted.isHint && wanted.orders.length === 0) return NOTHING_ASKED;
  const isPlain = isPlainRepeat(step);
  const means = (order: Order): boolean =>
    isAbout(order, step) || (order.isAll && (!isPlain || (order.times > 0 && !isFailing(step))));
  // An order to look is about looking, any other about doing.
  const orders = wanted.orders.filter((order) => means(order) && (order.isLook || step.effect !== "look"));
  return {
    times: Math.max(0, ...orders.map(({ times }) => times)),
    isSeries: !isPlain && orders.some(({ isSeries }) => isSeries),
    hinted: isPlain ? 0 : Math.max(wanted.isHint ? 1 : 0, ...orders.map(({ items }) => items)),
  };
}

function isAbout({ stems }: Order, step: Step): boolean {
  const own = stemsOf(step.tool);
  return stems.some((stem) => own.includes(stem) || step.stems.includes(stem));
}

/** Whether only the run itself could make the next such call come out otherwise: a look at its own files, a plain failure, the same text again. */
function isPlainRepeat(step: Step): boolean {
  const { effect, failure } = step;
  if (!isFailing(step) || step.isNothing) return effect === "look" || effect === "write" || effect === "say";
  return (
    (effect !== "watch" || failure?.isFinal === true) &&
    effect !== "wait" &&
    (failure?.isBusy !== true || isOwnWork(effect))
  );
}

/** One look at what only the run changes may be excused by words that say that something is going on. */
export const OWN_LOOKS = 1;

/** What these come to depends on the workspace alone. */
export function isOwnWork(effect: Step["effect"]): boolean {
  return effect === "look" || effect === "test" || effect === "write";
}

/** Remembers the words of a text: what was named can be worked through. */
function nameWords(run: RunState, text: string): void {
  everyWord(text.slice(0, NAMED), (word) => mark(run.met, word) || true);
}

/** Whether all words of a short text were named. */
export function isNamed(run: RunState, text: string): boolean {
  let parts = 1;
  for (let at = text.indexOf(" "); at >= 0; at = text.indexOf(" ", at + 1)) if (++parts > NAME_WORDS) return false;
  if (parts > 1 && text.split(" ").some((part) => part.length < SHORTEST_WORD)) return false;
  return everyWord(text, (word) => isMarked(run.met, word));
}

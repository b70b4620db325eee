import { stemsOf } from "../identity/stems.ts";

/** What a request orders to be done more than once. */
export interface Order {
  /** So many times. */
  readonly times: number;
  /** So many things, which may be as many calls. */
  readonly items: number;
  /** At an interval, for a while, or until something happens. */
  readonly isSeries: boolean;
  /** Its verb is one of looking. */
  readonly isLook: boolean;
  /** The words of its sentence, and of the one before where it refers to that. */
  readonly stems: readonly number[];
  /** The request is about nothing else, so the order need not name the call that it means. */
  readonly isAll: boolean;
}

/** What a request says about repeating something. */
export interface Request {
  readonly orders: readonly Order[];
  /** It has words that may mean more than one call. */
  readonly isHint: boolean;
}

export const NO_REQUEST: Request = { orders: [], isHint: false };

/** What is read of a request; of a longer one, its beginning and its end. */
const READ = 8_192;
export const MOST_TIMES = 100;
/** A request that is no longer is about one thing. */
const ONE_THING = 300;
const MAX_ORDERS = 12;
/** How much of a sentence is read. */
const MAX_SENTENCE = 400;

const SENTENCE_END = /[.!?。！](?=\s|$)|[\n;]|(?<=。|！)/;
/** Where an order may begin inside a sentence. */
const CLAUSE_START =
  /[,:()–>]\s*|\b(?:and|then|please|also|you (?:should|must|can|may)|(?:can|could|would) you|bitte|und|dann|y|et|puis|por favor)\s/i;
/** A clause states something if it begins with one of these or soon has a verb in the past; all others may be orders. */
const STATES =
  /^(?:(?:(?!that|who|which|if|when|until|once)[\p{L}\d'’-]{1,20} ){1,4}(?:has|have|had|was|were|fails|failed)|i|it|the|this|that|there|these|those|we|he|she|they|who|which|what|an?|our|my|its|their|all|no|not|don['’]?t|never|when|if|while|after|before|since|until|each|every|in|on|of|at|to|for|with|keep (?:going|working)|go on|\d+|jede\w*|der|die|das|es|ich|wir|sie|bis|el|los|las?|il|nous|je|chaque|cada|hasta)(?![\p{L}'’])/iu;
const LOOKS =
  /^(?:check|read|look|list|search|get|fetch|query|view|show|refresh|reload|poll|ping|watch|monitor|follow|track|observe|inspect|sample|measure|take)\b/i;
const NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
/** "24 times", "24 bottles", "24回". */
const COUNTED = new RegExp(
  `(?<![\\w.])(\\d{1,3}|${NUMBERS.slice(2).join("|")}) ?(?:more )?(?:(times|x|steps|runs|samples|readings|rounds|attempts|mal|veces|fois|vezes)|(?:[a-z]{1,20}ed )?\\p{Ll}{3,20}s)\\b|(\\d{1,3}) ?回`,
  "iu",
);
const UNIT =
  "(?:s|sec|seconds?|min|minutes?|hours?|h|days?|sekunden?|minuten?|stunden?|segundos?|minutos?|horas?|secondes?|heures?)";
const HOW_LONG = `(?:(?:\\d{1,4}|an?|${NUMBERS.slice(1).join("|")}|fifteen|twenty|thirty|few|half(?: an)?) ?)?${UNIT}`;
/** An interval, a while, an end that is waited for. */
const SERIES = new RegExp(
  [
    `\\b(?:every|each|once an?|once per|alle|jede|cada|toutes les|chaque) ${HOW_LONG}\\b`,
    `\\b(?:for|during|over|next|whole|pendant|während|durante|für) ${HOW_LONG}\\b`,
    "\\b(?:until|till|as soon as|whenever|again and again|repeatedly|one by one|after (?:each|every)|bis|hasta que|jusqu)\\b",
    "^(?:wait (?:for|until)|poll|monitor|watch (?!out)|follow|keep (?:an eye|\\w{1,20}ing)|warte auf|beobachte|überwache|espera a|vigila|attends|surveille)\\b",
    "^(?:tell|let|notify|alert|ping) me (?:know )?(?:when|as soon as|once|if)\\b",
    "[毎分秒間]ごと|毎[分時秒]|まで待|待って",
  ].join("|"),
  "iu",
);
const HINTS =
  /\b(?:\d{1,3} ?(?:times|x|mal|veces|fois)|all|each|every|until|while|per|again|watch|monitor|poll|wait|minutes|hours|when|once|jede[nrsm]?|bis|cada|chaque|hasta|jusqu)\b|\b\d{1,3} \p{Ll}{3,20}s\b|回|まで|毎/iu;
/** What harnesses say between two answers of a model, and people, too. */
const GO_ON =
  /^\W{0,4}(?:please )?(?:continue|proceed|keep going|carry on|go on|go ahead|next|weiter|mach weiter|continúa|sigue|continuez?|続けて(?:ください)?|继续)(?: please)?\W{0,4}$/iu;
const REFERS = /\b(?:it|them|this|that|es|ihn|sie|lo|la|le|les)\b/i;
/** Words that name nothing. */
const COMMON = new Set(
  stemsOf(
    "the and for with each every until all you your its this that from when then than once they them have has are was not but can will should must one two run check read get list use file files show call make",
  ),
);

/** The orders of a request that ask for something again. */
export function readRequest(whole: string): Request {
  const text = whole.length > 2 * READ ? `${whole.slice(0, READ)}\n${whole.slice(-READ)}` : whole;
  const orders: Order[] = [];
  let before = "";
  for (const piece of text.split(SENTENCE_END)) {
    const sentence = piece.trim().slice(0, MAX_SENTENCE);
    if (sentence === "") continue;
    const order = orderIn(sentence, before, whole.length <= ONE_THING);
    if (order !== undefined && orders.push(order) === MAX_ORDERS) break;
    before = sentence;
  }
  return { orders, isHint: orders.length > 0 || HINTS.test(text) };
}

/** Whether a text says no more than to go on. */
export function saysGoOn(text: string): boolean {
  return GO_ON.test(text);
}

function orderIn(sentence: string, before: string, isShort: boolean): Order | undefined {
  let [times, items, isSeries, isLook, start] = [0, 0, false, false, 0];
  for (const clause of sentence.split(CLAUSE_START)) {
    const from = sentence.indexOf(clause, start);
    start = from + clause.length;
    const rest = sentence.slice(from).replace(/^[^\p{L}\d]{1,8}/u, "");
    if (STATES.test(rest)) continue;
    const counted = COUNTED.exec(rest);
    const isOfSeries = SERIES.test(rest);
    if (counted === null && !isOfSeries) continue;
    const [, number, unit, japanese] = counted ?? [];
    const count = numberOf(number ?? japanese ?? "0");
    items = Math.max(items, count);
    if (unit !== undefined || japanese !== undefined) times = Math.max(times, count);
    isSeries ||= isOfSeries;
    isLook ||= LOOKS.test(rest);
  }
  if (items === 0 && !isSeries) return undefined;
  const refers = REFERS.test(sentence);
  const named = refers ? `${before} ${sentence}` : sentence;
  const stems = stemsOf(named).filter((stem) => !COMMON.has(stem));
  // "Clients retry 50 times" at the end of a request is no order.
  return { times, items, isSeries, isLook, stems, isAll: isShort && (isSeries || refers || before === "") };
}

function numberOf(word: string): number {
  const number = /\d/.test(word) ? Number(word) : NUMBERS.indexOf(word.toLowerCase());
  return Math.min(MOST_TIMES, Math.max(0, number));
}

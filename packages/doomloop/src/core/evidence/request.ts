import { isMarked, mark } from "../memory/marks.ts";
import type { RunState, Wanted } from "../memory/run-state.ts";
import { everyWord } from "../outcome/mask-text.ts";
import { areAlike, stemsOf } from "../outcome/stems.ts";

/** What is read of a longer request, at its beginning and at its end. */
const READ = 2_000;
const MOST_TIMES = 100;
const TIMES =
  /\b(\d{1,3}) ?(?:times|x|steps|runs|samples|readings|rounds|attempts|mal|veces|fois|vezes)\b|(\d{1,3}) ?回/gi;
/** "24 bottles": perhaps one call each. */
const ITEMS = /\b(\d{1,3}) \p{Ll}{3,20}s\b|\b(?:all|of|these|the|its) (\d{1,3})\b/giu;
const NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
const NUMBER_WORD =
  /\b(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) (?:times|runs|samples|readings|rounds|attempts)\b/gi;
const SERIES =
  /\b(?:each|every|until|till|while|per|one by one|from \S{1,20} to \S{1,20}|for the (?:whole|next)|the next (?:\d{1,4}|hour)|keep (?:\w{1,20}ing|an eye)|repeat\w{0,6}|again and again|as soon as|wait (?:for|until)|watch|monitor|poll|minutes|hours|once (?:it|they|the|all)|(?:tell|let) me (?:know )?when|jede[nrsm]?|bis|sobald|warte|cada|hasta que|chaque|jusqu)\b|まで|毎|ごとに|待って/i;
/** A text of fewer words may come again from a person, and any text where nothing was done: so many times. */
const HARNESS_WORDS = 4;
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
  const stems = stemsOf(text.slice(0, READ).replace(/\d{1,20}/g, " "));
  const known = text.trim() === "" ? undefined : run.userTexts.find((other) => areAlike(stems, other.stems));
  const wanted = wantedIn(text);
  if (known === undefined) {
    run.userTexts.push({ stems, times: 1 });
    if (run.userTexts.length > MAX_TEXTS) run.userTexts.splice(1, 1);
    run.wanted = wanted;
    return true;
  }
  if (++known.times > PATIENT_TIMES) return false;
  // Who asks for eight runs once more wants eight more.
  const times = Math.min(MOST_TIMES, wanted.times > 0 ? run.wanted.times + wanted.times : 0);
  run.wanted = { ...wanted, times };
  return stems.length < HARNESS_WORDS || run.calls === run.from;
}

/** What a request asks for: so many times; a series, or to watch. */
export function wantedIn(whole: string): Wanted {
  const text = whole.length > 2 * READ ? `${whole.slice(0, READ)} ${whole.slice(-READ)}` : whole;
  let times = 0;
  let items = 0;
  for (const match of text.matchAll(TIMES)) times = Math.max(times, Number(match[1] ?? match[2]));
  for (const match of text.matchAll(NUMBER_WORD)) times = Math.max(times, NUMBERS.indexOf(match[1]!.toLowerCase()));
  if (times === 0) for (const match of text.matchAll(ITEMS)) items = Math.max(items, Number(match[1] ?? match[2]));
  return { times: Math.min(MOST_TIMES, times), items: Math.min(MOST_TIMES, items), isSeries: SERIES.test(text) };
}

/** Remembers the words of a text: what was named can be worked through. */
function nameWords(run: RunState, text: string): void {
  everyWord(text.slice(0, READ), (word) => mark(run.met, word) || true);
}

/** Whether all words of a short text were named. */
export function isNamed(run: RunState, text: string): boolean {
  let parts = 1;
  for (let at = text.indexOf(" "); at >= 0; at = text.indexOf(" ", at + 1)) if (++parts > NAME_WORDS) return false;
  if (parts > 1 && text.split(" ").some((part) => part.length < SHORTEST_WORD)) return false;
  return everyWord(text, (word) => isMarked(run.met, word));
}

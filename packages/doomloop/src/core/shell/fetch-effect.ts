import { baseName } from "./base-name.ts";
import { EffectRank } from "./effect-rank.ts";

const SENDING = /^(?:-d|-F|-T|--data.*|--json|--form.*|--upload-file|--post-.*|POST|PUT|PATCH|DELETE)$/;
/** Single-letter options in a row, of which one names or keeps the remote name of the output file. */
const SAVING_CURL = /^-[A-Za-z]*[oO]/;
const PRINTING_WGET = /^(?:-[a-zA-Z]*O-|-[a-zA-Z]*O|--output-document=-|--spider)$/;

/** What a download does: to the terminal it looks, to a file it changes, and what sends may do either. */
export function fetchEffect(words: readonly string[], from: number): EffectRank {
  const program = baseName(words[from]!);
  let effect: EffectRank = program === "wget" ? EffectRank.change : EffectRank.look;
  for (let index = from + 1; index < words.length; index++) {
    const word = words[index]!;
    const next = words[index + 1] ?? "";
    if (program === "wget") {
      if (PRINTING_WGET.test(word) && (!word.endsWith("O") || next === "-" || next.startsWith("/dev/")))
        return EffectRank.look;
    } else if (SAVING_CURL.test(word) || word === "--output" || word === "--remote-name") {
      if (next !== "-" && !next.startsWith("/dev/")) return EffectRank.change;
    } else if (SENDING.test(word) || word.startsWith("-XP") || word.startsWith("-XD")) {
      effect = EffectRank.unknown;
    }
  }
  return effect;
}

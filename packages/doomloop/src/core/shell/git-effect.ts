import { EffectRank } from "./effect-rank.ts";
import { subcommandEffect } from "./subcommand-effect.ts";
import { subcommandIndex } from "./subcommand-index.ts";
import { SUBCOMMANDS } from "./subcommands.ts";

const GIT = SUBCOMMANDS.get("git")!;
/** First options that make a changing subcommand list. */
const LISTING_OPTIONS: ReadonlyMap<string, RegExp> = new Map([
  ["branch", /^(?:-[arv]+|--(?:list|all|remotes|verbose|show-current|contains|no-contains|merged|no-merged))$/],
  ["tag", /^(?:-[ln]\d*|--(?:list|contains|points-at|merged))$/],
  ["remote", /^(?:-v|--verbose)$/],
  ["config", /^(?:-l|--(?:list|get|get-all|get-regexp|get-urlmatch|show-origin))$/],
  ["apply", /^--(?:check|stat|numstat|summary)$/],
]);
const LISTING_ALONE: ReadonlySet<string> = new Set(["branch", "tag", "remote", "submodule", "notes"]);

/** What a git command does: several subcommands list when they get no name, or an option that asks. */
export function gitEffect(words: readonly string[], from: number): EffectRank {
  const effect = subcommandEffect(GIT, words, from);
  if (effect !== EffectRank.change) return effect;

  const index = subcommandIndex(words, from, GIT.valued);
  const name = words[index]!;
  const first = words[index + 1];
  if (first === undefined) return LISTING_ALONE.has(name) ? EffectRank.look : effect;
  // `git config user.name` shows, `git config user.name x` sets.
  if (name === "config" && index === words.length - 2 && !first.startsWith("-")) return EffectRank.look;
  return LISTING_OPTIONS.get(name)?.test(first) ? EffectRank.look : effect;
}

import { EffectRank } from "./effect-rank.ts";
import { subcommandIndex } from "./subcommand-index.ts";
import type { Subcommands } from "./subcommands.ts";

/** What a program does by its subcommand, its second level first: `docker image ls` before `docker image`. */
export function subcommandEffect(subcommands: Subcommands, words: readonly string[], from: number): EffectRank {
  const index = subcommandIndex(words, from, subcommands.valued);
  const name = words[index];
  // Without a subcommand most print their help; `yarn` installs.
  if (name === undefined) return words[from] === "yarn" ? EffectRank.change : EffectRank.look;
  const second = words[index + 1];
  if (second !== undefined) {
    const pair = `${name}:${second}`;
    if (subcommands.look.has(pair)) return EffectRank.look;
    if (subcommands.wait.has(pair)) return EffectRank.wait;
  }
  if (subcommands.look.has(name)) return EffectRank.look;
  if (subcommands.wait.has(name)) return EffectRank.wait;
  return subcommands.change.has(name) ? EffectRank.change : EffectRank.unknown;
}

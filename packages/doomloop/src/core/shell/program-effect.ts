import { EffectRank } from "./effect-rank.ts";
import type { ProgramFacts } from "./program-facts.ts";
import { subcommandEffect } from "./subcommand-effect.ts";

const ASKING_OPTIONS: ReadonlySet<string> = new Set(["-V", "-version", "-h"]);
const VERSION_BY_V: ReadonlySet<string> = new Set([
  "node",
  "npm",
  "npx",
  "yarn",
  "pnpm",
  "bun",
  "deno",
  "ruby",
  "php",
  "perl",
]);

/** What the program at `from`, already behind its wrappers, does to the world. */
export function programEffect(words: readonly string[], from: number, facts: ProgramFacts): EffectRank {
  const word = words[from]!;
  if (word.includes("/") && isOwnProgram(word)) return EffectRank.unknown;
  if (words.length > from + 1 && asksAboutItself(words, from, facts)) return EffectRank.look;
  if (facts.rule !== undefined) return facts.rule(words, from);
  if (facts.subcommands !== undefined) return subcommandEffect(facts.subcommands, words, from);
  if (facts.listingOptions?.has(words[from + 1] ?? "")) return EffectRank.look;
  return facts.effect;
}

/** A relative path names the project's own program, except where package managers put theirs. */
function isOwnProgram(word: string): boolean {
  return !word.startsWith("/") && !word.includes("nv/bin/") && !word.includes(".bin/");
}

/** Does it only ask for the program's version or manual? `-h` of a known program means something else. */
function asksAboutItself(words: readonly string[], from: number, facts: ProgramFacts): boolean {
  const last = words[words.length - 1]!;
  if (!last.startsWith("-")) return false;
  if (last === "--help" || last === "--version") return true;
  if (words.length !== from + 2) return false;
  if (last === "-v") return VERSION_BY_V.has(words[from]!);
  return ASKING_OPTIONS.has(last) && (last !== "-h" || facts.effect === EffectRank.unknown);
}

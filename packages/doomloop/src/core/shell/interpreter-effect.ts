import { EffectRank } from "./effect-rank.ts";
import { subcommandEffect } from "./subcommand-effect.ts";
import { SUBCOMMANDS } from "./subcommands.ts";

const LOOKING_MODULES: ReadonlySet<string> = new Set([
  "json.tool",
  "tokenize",
  "ast",
  "dis",
  "site",
  "sysconfig",
  "pydoc",
  "calendar",
]);
const CHANGING_MODULES: ReadonlySet<string> = new Set([
  "venv",
  "virtualenv",
  "ensurepip",
  "build",
  "compileall",
  "zipapp",
]);

/** What Python does: a script may do anything, but some modules are tools of their own. */
export function interpreterEffect(words: readonly string[], from: number): EffectRank {
  let index = from + 1;
  while (index < words.length && words[index]!.startsWith("-") && words[index] !== "-m" && words[index] !== "-c")
    index++;
  const name = words[index + 1] ?? "";
  if (words[index] !== "-m") {
    return words[index] === "setup.py" && CHANGING_SETUPS.has(name) ? EffectRank.change : EffectRank.unknown;
  }
  if (name === "pip") return subcommandEffect(SUBCOMMANDS.get("pip")!, words, index + 1);
  if (LOOKING_MODULES.has(name)) return EffectRank.look;
  return CHANGING_MODULES.has(name) ? EffectRank.change : EffectRank.unknown;
}

const CHANGING_SETUPS: ReadonlySet<string> = new Set([
  "install",
  "develop",
  "build",
  "build_ext",
  "sdist",
  "bdist_wheel",
]);

import { baseName } from "./base-name.ts";
import type { CommandDraft } from "./command-draft.ts";
import { EffectRank } from "./effect-rank.ts";
import { parseInlineScript } from "./parse-inline-script.ts";
import { programEffect } from "./program-effect.ts";
import { programFacts } from "./program-facts.ts";
import { skipWrappers } from "./skip-wrappers.ts";

const WRITING_ACTIONS: ReadonlySet<string> = new Set(["-delete", "-fprint", "-fprint0", "-fprintf", "-fls"]);
const RUNNING_ACTIONS: ReadonlySet<string> = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

/** What `find` does: it looks, unless an action deletes, writes or runs a program that does more. */
export function findEffect(draft: CommandDraft, words: readonly string[], from: number): EffectRank {
  let effect: EffectRank = EffectRank.look;
  for (let index = from + 1; index < words.length; index++) {
    const word = words[index]!;
    if (WRITING_ACTIONS.has(word)) return EffectRank.change;
    if (!RUNNING_ACTIONS.has(word)) continue;
    const action = words.slice(index + 1, endOfAction(words, index + 1));
    if (action.length === 0) continue;
    const ran = actionEffect(draft, action);
    if (ran > effect) effect = ran;
    index += action.length;
  }
  return effect;
}

function actionEffect(draft: CommandDraft, words: readonly string[]): EffectRank {
  const from = skipWrappers(words, 0);
  const facts = programFacts(baseName(words[from]!));
  const script = facts.isShell ? parseInlineScript(draft, words, from) : undefined;
  if (script === undefined) return programEffect(words, from, facts);
  draft.substitutions.push(script);
  return EffectRank.look;
}

function endOfAction(words: readonly string[], from: number): number {
  let index = from;
  while (index < words.length && words[index] !== ";" && words[index] !== "+") index++;
  return index;
}

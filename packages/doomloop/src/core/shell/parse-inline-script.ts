import { type ParsedScript, parse } from "unbash";
import type { CommandDraft } from "./command-draft.ts";
import { isParseable } from "./is-parseable.ts";

const MAX_INLINE_SCRIPTS = 8;
const SCRIPT_OPTION = /^-[a-z]*c$/;

/** The script of `bash -c '...'`, the shell at `from`; undefined if there is none that stands in the words. */
export function parseInlineScript(
  draft: CommandDraft,
  words: readonly string[],
  from: number,
): ParsedScript | undefined {
  let option = from + 1;
  while (option < words.length && words[option]!.startsWith("-") && !SCRIPT_OPTION.test(words[option]!)) option++;
  const script = words[option + 1];
  if (script === undefined || !SCRIPT_OPTION.test(words[option]!)) return;
  if (draft.inlineScripts >= MAX_INLINE_SCRIPTS || !isParseable(script)) return;

  draft.inlineScripts++;
  const tree = parse(script);
  if (tree.errors !== undefined && tree.errors.length > 0) draft.isFaulty = true;
  return tree;
}

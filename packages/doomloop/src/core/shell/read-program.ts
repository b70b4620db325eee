import type { ParsedScript } from "unbash";
import { baseName } from "./base-name.ts";
import { type CommandDraft, emit, raiseEffect } from "./command-draft.ts";
import { EffectRank } from "./effect-rank.ts";
import { findEffect } from "./find-effect.ts";
import { isTestRun } from "./is-test-run.ts";
import { joinPath } from "./join-path.ts";
import { parseInlineScript } from "./parse-inline-script.ts";
import { programEffect } from "./program-effect.ts";
import { type ProgramFacts, programFacts } from "./program-facts.ts";
import { readFileWork } from "./read-file-work.ts";
import type { RedirectionReading } from "./read-redirections.ts";
import { Separator } from "./separator.ts";
import { skipWrappers } from "./skip-wrappers.ts";
import { sleepDurationMs } from "./sleep-duration.ts";

/**
 * Reads the words of one simple command, the program's at `start` behind its assignments.
 *
 * This is all that a plain command needs, so it works on words and not on the syntax tree.
 */
export function readProgram(
  draft: CommandDraft,
  words: readonly string[],
  start: number,
  redirections: RedirectionReading | undefined,
): void {
  const isPiped = draft.separator === Separator.pipe;
  if (start === 0 && words[0] === "cd" && draft.substance === "" && draft.isEmitting) {
    enterDirectory(draft, words[1]);
    return;
  }
  for (let index = 0; index < start; index++) emit(draft, words[index]!);
  const isNamed = start < words.length;
  let from = start;
  let program = isNamed ? baseName(words[start]!) : "";
  let facts = programFacts(program);
  if (facts.wrapper !== undefined) {
    from = skipWrappers(words, start, draft);
    program = baseName(words[from]!);
    facts = programFacts(program);
  }
  const script = facts.isShell ? parseInlineScript(draft, words, from) : undefined;
  if (script !== undefined) pushScript(draft, script);
  else if (isNamed) emit(draft, joinWords(words, from));
  if (redirections !== undefined && draft.isEmitting) draft.substance += redirections.substance;

  if (script !== undefined) return;
  if (!isPiped && draft.isEmitting) draft.pipelines++;
  if (!isNamed) return;
  const effect = readEffect(draft, words, from, program, facts, isPiped);
  if (isPiped || facts.isFileViewer || effect === EffectRank.change || redirections !== undefined) {
    readFileWork(draft, words, from, program, facts, effect, isPiped, redirections);
  }
}

/** Has a script read in place of its shell. */
function pushScript(draft: CommandDraft, script: ParsedScript): void {
  // The last thing to read needs no brackets: `bash -lc 'npm test'` is `npm test`.
  if (draft.stack.length === 0) draft.stack.push(script);
  else draft.stack.push(Separator.close, script, Separator.open);
}

/** Faster than the array's own method for the few words of a command. */
function joinWords(words: readonly string[], from: number): string {
  let text = words[from]!;
  for (let index = from + 1; index < words.length; index++) text += Separator.word + words[index]!;
  return text;
}

function enterDirectory(draft: CommandDraft, directory: string | undefined): void {
  if (draft.directory === undefined) return;
  const isKnown = directory === undefined || !(directory.includes("\0") || directory.startsWith("-"));
  draft.directory = isKnown ? joinPath(draft.directory, directory ?? "~") : undefined;
}

function readEffect(
  draft: CommandDraft,
  words: readonly string[],
  from: number,
  program: string,
  facts: ProgramFacts,
  isPiped: boolean,
): EffectRank {
  let effect = program === "find" ? findEffect(draft, words, from) : programEffect(words, from, facts);
  if (effect >= EffectRank.unknown) {
    // What a filter or a substitution did stays done when the rest fails.
    if (isPiped || !draft.isEmitting) draft.isCompound = true;
    // `make` builds and so changes, but `make check` tells.
    if (isTestRun(words, from)) {
      draft.isTest = true;
      effect = EffectRank.unknown;
    }
  } else if (effect === EffectRank.wait && program === "sleep") {
    draft.waitMs += sleepDurationMs(words, from + 1);
  }
  raiseEffect(draft, effect);
  return effect;
}

import type { CommandDraft } from "./command-draft.ts";
import { EffectRank } from "./effect-rank.ts";
import { joinPath } from "./join-path.ts";
import type { ProgramFacts } from "./program-facts.ts";
import type { RedirectionReading } from "./read-redirections.ts";
import { viewedOperand } from "./viewed-operand.ts";

const IN_PLACE_EDITORS: ReadonlySet<string> = new Set(["sed", "gsed", "perl", "ruby"]);

/** Notes whether a command works on files by shell, and which one it shows. */
export function readFileWork(
  draft: CommandDraft,
  words: readonly string[],
  from: number,
  program: string,
  facts: ProgramFacts,
  effect: EffectRank,
  isPiped: boolean,
  redirections: RedirectionReading | undefined,
): void {
  if (isPiped) {
    // `nl f | sed -n 5,9p` still shows the file; any other filter shows something else.
    if (program !== "sed" || viewedOperand(words, from, program) !== "") draft.isDiverted = true;
  } else if (facts.isFileViewer) {
    readView(draft, viewedOperand(words, from, program), redirections);
    if (words.length > from + 1) draft.isFileOperation = true;
  }
  if (effect === EffectRank.change && (facts.isFileProgram || IN_PLACE_EDITORS.has(program))) {
    draft.isFileOperation = true;
  }
  if (redirections?.writesFile && (redirections.hasDocument || facts.isPrinting)) {
    draft.isFileOperation = true;
  }
}

function readView(
  draft: CommandDraft,
  operand: string | undefined,
  redirections: RedirectionReading | undefined,
): void {
  if (operand === undefined || redirections?.hasDocument) return;
  const path = operand === "" ? redirections?.input : operand;
  if (path === undefined || path === "" || path.includes("\0")) return;
  draft.isFileOperation = true;
  if (draft.directory !== undefined) draft.file = joinPath(draft.directory, path);
  else if (path.startsWith("/")) draft.file = joinPath("", path);
}

import { type CommandDraft, emit, raiseEffect } from "./command-draft.ts";
import { EffectRank } from "./effect-rank.ts";
import { readNode } from "./read-node.ts";
import { Separator } from "./separator.ts";

const MAX_NODES = 500;
const MAX_SUBSTITUTION_DEPTH = 8;

/**
 * Reads all that is on the draft's stack, then the substitutions met on the way.
 *
 * Walks with a stack of its own, and within a fixed number of nodes; what is left then makes the draft faulty.
 */
export function walkScript(draft: CommandDraft): void {
  const { stack } = draft;
  let nodes = 0;
  for (let depth = 0; depth < MAX_SUBSTITUTION_DEPTH; depth++) {
    while (stack.length > 0) {
      const item = stack.pop()!;
      if (typeof item === "string") {
        readSeparator(draft, item);
      } else if (++nodes > MAX_NODES) {
        draft.isFaulty = true;
        return;
      } else {
        readNode(draft, item);
      }
    }
    if (draft.substitutions.length === 0) return;
    // Each is parsed when it is entered, so the count comes before.
    if (nodes + draft.substitutions.length > MAX_NODES) break;
    enterSubstitutions(draft);
  }
  draft.isFaulty = true;
}

function readSeparator(draft: CommandDraft, separator: string): void {
  if (separator.startsWith(Separator.open)) {
    emit(draft, separator);
  } else if (separator.startsWith(Separator.close)) {
    if (draft.isEmitting) draft.substance += separator;
    draft.separator = Separator.word;
  } else {
    draft.separator = separator;
  }
}

/** Goes one level down; the text of a substitution is in the substance already, its effects are not. */
function enterSubstitutions(draft: CommandDraft): void {
  draft.isEmitting = false;
  draft.isDiverted = true;
  for (const part of draft.substitutions) {
    const script = part.type === "Script" ? part : "script" in part ? part.script : undefined;
    if (script === undefined) raiseEffect(draft, EffectRank.unknown);
    else draft.stack.push(Separator.statement, script);
    if (script?.errors?.length) draft.isFaulty = true;
  }
  draft.substitutions = [];
}

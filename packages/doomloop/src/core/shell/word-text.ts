import { forEachChild, type SyntaxNode, type Word, type WordPart } from "unbash";
import type { CommandDraft } from "./command-draft.ts";
import { Separator } from "./separator.ts";

const MAX_PART_NODES = 200;
const SINGLE_QUOTE = 39;
const DOUBLE_QUOTE = 34;
/** Characters that give a word structure: quotes, escapes, expansions, patterns. */
const STRUCTURE = new Uint8Array(128);
for (const character of "\"'\\$`*?[{(") STRUCTURE[character.charCodeAt(0)] = 1;

/**
 * The word without its quotes, and with what the shell expands marked: `"a b"` is `'a b'`, `"$x"` is not `'$x'`.
 *
 * Puts the substitutions it meets on the draft.
 */
export function wordText(draft: CommandDraft, word: Word): string {
  const { text } = word;
  // Bare words and those in one pair of quotes are nearly all, and need no second look by the parser.
  const first = text.charCodeAt(0);
  const last = text.length - 1;
  if (first === SINGLE_QUOTE) {
    if (last > 0 && text.indexOf("'", 1) === last) return text.slice(1, last);
  } else if (first === DOUBLE_QUOTE) {
    if (last > 0 && text.indexOf('"', 1) === last && !hasExpansion(text)) return text.slice(1, last);
  } else if (isBare(text)) {
    return text;
  }
  const { parts } = word;
  return parts === undefined ? word.value : joinParts(draft, parts);
}

function joinParts(draft: CommandDraft, parts: readonly WordPart[]): string {
  let result = "";
  for (const part of parts) {
    if (part.type === "DoubleQuoted" || part.type === "LocaleString") {
      for (const child of part.parts) result += partText(draft, child);
    } else {
      result += partText(draft, part);
    }
  }
  return result;
}

function partText(draft: CommandDraft, part: WordPart): string {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return part.value;
    case "SimpleExpansion":
    case "Glob":
      break;
    default:
      collectSubstitutions(draft, part);
  }
  return Separator.expansion + part.text + Separator.literal;
}

/** Finds command substitutions however deep they stand: `${a:-$(b)}`, `$(( $(c) + 1 ))`, `{$(d),e}`. */
function collectSubstitutions(draft: CommandDraft, part: WordPart): void {
  if (part.type === "CommandExpansion" || part.type === "ProcessSubstitution") {
    draft.substitutions.push(part);
    return;
  }
  if (!part.text.includes("(") && !part.text.includes("`")) return;
  const stack: SyntaxNode[] = [part];
  for (let nodes = 0; stack.length > 0; nodes++) {
    if (nodes > MAX_PART_NODES) {
      draft.isFaulty = true;
      return;
    }
    const node = stack.pop()!;
    if (node.type === "CommandExpansion" || node.type === "ProcessSubstitution") {
      draft.substitutions.push(node);
    } else if (node.type === "ArithmeticCommandExpansion") {
      draft.substitutions.push(node);
    } else {
      forEachChild(node, (child) => {
        stack.push(child);
      });
    }
  }
}

function isBare(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 128 && STRUCTURE[code] === 1) return false;
  }
  return true;
}

function hasExpansion(text: string): boolean {
  return text.includes("$") || text.includes("`") || text.includes("\\");
}

import { baseName } from "./base-name.ts";
import { type CommandDraft, emit } from "./command-draft.ts";
import { isAssignment } from "./is-assignment.ts";
import { WRAPPERS, type Wrapper } from "./wrappers.ts";

/**
 * Finds the program that does the work behind `timeout 60`, `env A=b`, `sudo -u x`, `uv run` and the like.
 *
 * Adds the skipped words that still tell the command apart to the draft's substance, if one is given.
 */
export function skipWrappers(words: readonly string[], from: number, draft?: CommandDraft): number {
  let index = from;
  for (;;) {
    const wrapper = WRAPPERS.get(baseName(words[index]!));
    if (wrapper === undefined) return index;
    const next = endOfWrapper(wrapper, words, index);
    if (next >= words.length) return index;
    if (draft !== undefined) {
      for (let skipped = index; skipped < next; skipped++) {
        if (wrapper.isPartOfSubstance || isAssignment(words[skipped]!)) emit(draft, words[skipped]!);
      }
    }
    index = next;
  }
}

/** The index after the wrapper's own words; past the end if it wraps nothing. */
function endOfWrapper(wrapper: Wrapper, words: readonly string[], start: number): number {
  let index = start + 1;
  let operands = wrapper.operands;
  let isNamed = wrapper.subcommands === undefined;
  for (; index < words.length; index++) {
    const word = words[index]!;
    // `command -v name` asks where a program is and runs none.
    if (index === start + 1 && (word === "-v" || word === "-V") && words[start] === "command") return words.length;
    if (word === "--") continue;
    if (word.startsWith("-") && word.length > 1) {
      if (wrapper.valued.has(word)) index++;
    } else if (!isNamed) {
      if (!wrapper.subcommands!.has(word)) return words.length;
      isNamed = true;
    } else if (isAssignment(word)) {
    } else if (operands > 0) {
      operands--;
    } else {
      return index;
    }
  }
  return index;
}

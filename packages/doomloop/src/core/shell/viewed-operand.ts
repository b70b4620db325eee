import { FILE_VIEWERS } from "./programs.ts";

/** A `sed` script that only prints lines by their number. */
const LINE_WINDOW = /^[\d,$~+; pq]*$/;

/**
 * What a viewer shows: the one file it names, or "" if it shows what comes in.
 *
 * Undefined if it is no viewer, shows several files, edits, searches or follows.
 */
export function viewedOperand(words: readonly string[], from: number, program: string): string | undefined {
  const valued = FILE_VIEWERS.get(program);
  if (valued === undefined) return;
  let operand = from + 1;
  for (; operand < words.length; operand++) {
    const word = words[operand]!;
    if (word.startsWith("-") && word !== "-") {
      if (program === "sed" ? !isQuietOption(word) : program === "tail" && isFollowing(word)) return;
      if (valued.has(word)) operand++;
    } else if (!word.startsWith("+")) {
      break;
    }
  }
  if (program === "sed") {
    if (operand === from + 1 || operand >= words.length || !LINE_WINDOW.test(words[operand]!)) return;
    operand++;
  }
  if (operand >= words.length) return "";
  const word = words[operand]!;
  // A pattern or a variable may stand for any file, and for several.
  if (operand < words.length - 1 || word.includes("\0")) return;
  return word === "-" ? "" : word;
}

function isQuietOption(word: string): boolean {
  return word === "-n" || word === "-ne" || word === "-e" || word === "--quiet" || word === "--silent";
}

function isFollowing(option: string): boolean {
  return option.startsWith("--") ? option.startsWith("--follow") : option.includes("f") || option.includes("F");
}

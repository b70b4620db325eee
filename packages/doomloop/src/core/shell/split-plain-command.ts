import { RESERVED_WORDS } from "./programs.ts";

const MAX_LENGTH = 1_000;
const SPACE = 32;
/** Characters that mean themselves to the shell wherever they stand in a word. */
const PLAIN = new Uint8Array(128);
for (const character of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=:,@%+-") {
  PLAIN[character.charCodeAt(0)] = 1;
}

/**
 * The words of a command that needs no parser: plain words with one space between them.
 *
 * Undefined for any other command.
 */
export function splitPlainCommand(command: string): string[] | undefined {
  const { length } = command;
  if (length > MAX_LENGTH) return;
  let wordCount = 1;
  let previous = SPACE;
  for (let index = 0; index < length; index++) {
    const code = command.charCodeAt(index);
    if (code === SPACE) {
      if (previous === SPACE) return;
      wordCount++;
    } else if (code >= 128 || PLAIN[code] !== 1) return;
    previous = code;
  }
  if (previous === SPACE) return;

  const words = wordCount === 1 ? [command] : command.split(" ");
  return RESERVED_WORDS.has(words[0]!) ? undefined : words;
}

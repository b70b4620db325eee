/** What is to be written, before anything is. Paths are relative to the repository. */
export interface Plan {
  /** New files, with their contents. */
  readonly files: Readonly<Record<string, string>>;
  /** Files that get a line or two. */
  readonly edits: readonly Edit[];
  /** What is left to do, one line each. */
  readonly next: readonly string[];
}

interface Edit {
  readonly path: string;
  /** The file with the change. Throws if the place for it is not there. */
  apply(text: string): string;
}

/** Puts a line before the first place where some words stand. */
export function insertBefore(text: string, words: string, line: string): string {
  const at = text.indexOf(words);
  if (at < 0) throw new Error(`new: no place for ${line.trim()}: "${words.trim()}" is not in the list any more`);
  return `${text.slice(0, at)}${line}${text.slice(at)}`;
}

/** Puts a line behind the first place where some words stand. */
export function insertBehind(text: string, words: string, line: string): string {
  const at = text.indexOf(words);
  if (at < 0) throw new Error(`new: no place for ${line.trim()}: "${words.trim()}" is not in the list any more`);
  return `${text.slice(0, at + words.length)}${line}${text.slice(at + words.length)}`;
}

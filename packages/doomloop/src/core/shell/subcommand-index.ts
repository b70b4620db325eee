/** The index of the first word after `from` that is neither an option nor an option's value. */
export function subcommandIndex(words: readonly string[], from: number, valued: ReadonlySet<string>): number {
  let index = from + 1;
  for (; index < words.length; index++) {
    const word = words[index]!;
    if (valued.has(word)) index++;
    else if (!word.startsWith("-") && !word.startsWith("+")) break;
  }
  return index;
}

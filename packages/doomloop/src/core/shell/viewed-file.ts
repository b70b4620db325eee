/** Options of viewers that take the next word as their value. */
const VALUED = /^(?:head|tail) -[nc]$|^bat(?:cat)? (?:-r|--line-range|--style)$/;
/** Options with which a viewer does not just show: `sed` edits, `tail` follows. */
const OTHER = /^sed (?!-n$|-ne$|-e$|--quiet$|--silent$)|^tail (?:-\w*[fF]|--follow)/;
/** A `sed` script that only prints lines by their number. */
const LINE_WINDOW = /^[\d,$~+; pq]*$/;

/** The one file that a viewer such as `cat` names, "" if it shows what comes in, undefined if it does anything else. */
export function viewedFile(words: readonly string[], from: number, program: string): string | undefined {
  const operands: string[] = [];
  for (let index = from + 1; index < words.length; index++) {
    const word = words[index]!;
    const option = `${program} ${word}`;
    if (!/^[-+]./.test(word)) operands.push(word);
    else if (OTHER.test(option)) return undefined;
    else if (VALUED.test(option)) index++;
  }
  if (program === "sed") {
    const script = operands.shift();
    if (script === undefined || words[from + 1] === script || !LINE_WINDOW.test(script)) return undefined;
  }
  const [file = ""] = operands;
  // A pattern or a variable may stand for any file, and for several.
  if (operands.length > 1 || file.includes("\0")) return undefined;
  return file === "-" ? "" : file;
}

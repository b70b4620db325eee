/** Words before a command that hold several together. */
const OPENERS: ReadonlySet<string> = new Set("if then elif else while until do ! { time".split(" "));
const BLANKS = /(?:[ \t\r]|\\\n)+|#[^\n]*/y;
const OPERATOR = /&&|\|\||[|;&\n()]/y;
const HERE_DOCUMENT = /\d?<<-?[ \t]*(["']?)(\w{1,40})\1/y;
const REDIRECTION = /(?:\d{0,3}|&)(?:<<<|<[>&]?|>[>&|]?)[ \t]*/y;
const PLAIN = /[^\s;&|<>()'"\\$`]+/y;
const QUOTED = /'[^']*'?|"(?:[^"\\]|\\[\s\S])*"?/y;
const SUBSTITUTION = /\$\([^()]*(?:\([^()]*\)[^()]*)*\)?|`[^`]*`?/y;

/** The words of the commands in a command line, without redirections and here-documents. */
export function commandsIn(line: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  let at = 0;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(line)?.[0] ?? "";
    at += found.length;
    return found;
  };
  const redirect = (operator: string): boolean => {
    if (operator === "") return false;
    readWord(take, line[at]);
    return true;
  };
  while (at < line.length) {
    const document = hereDocument(line, at);
    if (document !== undefined) line = document;
    else if (take(BLANKS) !== "") continue;
    else if (redirect(take(REDIRECTION))) continue;
    else if (take(OPERATOR) !== "") commands.push([]);
    else {
      const start = at;
      const word = readWord(take, line[at]);
      // An empty word in quotation marks is a word as well.
      const read = at > start ? word : line[at++]!;
      const words = commands.at(-1)!;
      if (words.length > 0 || !OPENERS.has(read)) words.push(read);
    }
  }
  return commands.filter((words) => words.length > 0);
}

/** One word, without its quotation marks. */
function readWord(take: (pattern: RegExp) => string, next: string | undefined): string {
  let word = "";
  for (let piece = next; piece !== undefined && piece !== ""; ) {
    const quoted = take(QUOTED);
    piece = quoted || take(SUBSTITUTION) || take(PLAIN) || take(ESCAPED);
    word += quoted === "" ? piece : quoted.slice(1, quoted.length > 1 && quoted.endsWith(quoted[0]!) ? -1 : undefined);
  }
  return word;
}

const ESCAPED = /\\[\s\S]?|\$/y;

/** The line without the here-document that begins at a place; undefined if none does. */
function hereDocument(line: string, at: number): string | undefined {
  HERE_DOCUMENT.lastIndex = at;
  const found = HERE_DOCUMENT.exec(line);
  if (found === null) return undefined;
  const rest = line.slice(at + found[0].length);
  const start = rest.indexOf("\n");
  if (start < 0) return line.slice(0, at) + rest;
  const end = new RegExp(`\\n[ \\t]*${found[2]}(?=\\n|$)`).exec(rest.slice(start));
  const after = end === null ? "" : rest.slice(start + end.index + end[0].length);
  return line.slice(0, at) + rest.slice(0, start) + after;
}

/** A command line that is read from left to right, each character once. */
export interface Source {
  readonly text: string;
  at: number;
  /** How deep expansions nest here. */
  depth: number;
  isInBackticks: boolean;
  /** Where the bodies of this line's here-documents end; 0 if it has none. */
  documentsEnd: number;
  isFaulty: boolean;
  /** Reads the script of a substitution, and the character that closes it. */
  readonly readScript: (closer: string) => void;
}

const MAX_DEPTH = 8;
const PLAIN = /[^\s;&|<>()'"\\$`*?[{]+/y;
const DOUBLE_QUOTED = /[^"\\$`]+/y;
const SINGLE_QUOTED = /'[^']*'/y;
const BRACKETED = /[^(){}'"\\$`]+/y;
const OPENING = /`|[<>]\(|\$(?:\(\(?|\{|[A-Za-z_]\w*|[@*#?$!\d-])?/y;

/** What the pattern finds next; "" if that is nothing. */
export function match(source: Source, pattern: RegExp): string {
  const start = source.at;
  pattern.lastIndex = start;
  if (!pattern.test(source.text)) return "";
  source.at = pattern.lastIndex;
  return source.text.slice(start, source.at);
}

/** Gives up: the text is no shell command, or nests deeper than people write. */
export function fail(source: Source): void {
  source.isFaulty = true;
  source.at = source.text.length;
}

/**
 * Reads one word without its quotes, what the shell expands marked: `"a b"` is `'a b'`, `"$x"` is not `'$x'`.
 * No shell word holds the null character, so the marks that begin with one are unmistakable.
 */
export function readWord(source: Source): string {
  let word = "";
  for (;;) {
    word += match(source, PLAIN);
    const character = source.text[source.at] ?? " ";
    // A list, as in `a=(b c)`, or a pattern, as in `!(*.ts)`.
    if (character === "(" && /[=!@+*?]$/.test(word)) word += `\0$${readUntil(source, "(", ")")}\0.`;
    else if (isEnd(source, character)) return word;
    else word += readSpecial(source, character, false);
  }
}

function isEnd({ text, at, isInBackticks }: Source, character: string): boolean {
  if (character === "`") return isInBackticks;
  const isSubstitution = text[at + 1] === "(" && (character === "<" || character === ">");
  return " \n;&|<>()\t\r".includes(character) && !isSubstitution;
}

function readSpecial(source: Source, character: string, isQuoted: boolean): string {
  const { text, at } = source;
  if ("$`<>".includes(character)) return readExpansion(source);
  if (character === '"') return readUntil(source, "", '"');
  if (character === "'") {
    const quoted = match(source, SINGLE_QUOTED);
    if (quoted === "") fail(source);
    return quoted.slice(1, -1);
  }
  source.at++;
  // By themselves, and as `{}`, brackets are no patterns.
  if (character !== "\\") return /^(?:\[|\{\}?)(?:\s|$)/.test(text.slice(at, at + 3)) ? character : `\0${character}`;
  source.at++;
  const next = text.charAt(at + 1);
  if (next === "\n") return "";
  return isQuoted && !'"\\$`'.includes(next) ? character + next : next;
}

/** Reads up to the closing character, and over brackets in between; the opening one is next. */
function readUntil(source: Source, open: string, close: string): string {
  const isQuoted = close === '"';
  let word = "";
  let depth = 1;
  source.at++;
  while (source.at < source.text.length) {
    word += match(source, isQuoted ? DOUBLE_QUOTED : BRACKETED);
    const character = source.text.charAt(source.at);
    if (character === open) depth++;
    if (character === close && --depth === 0) {
      source.at++;
      return word;
    }
    if (character !== "") word += readSpecial(source, character, isQuoted);
  }
  fail(source);
  return word;
}

function readExpansion(source: Source): string {
  const { at: start, isInBackticks } = source;
  const opening = match(source, OPENING);
  if (opening === "$") return opening;
  if (++source.depth > MAX_DEPTH) fail(source);
  else if (opening === "$((" || opening === "${") {
    source.at = start + 1;
    readUntil(source, opening[1]!, opening === "${" ? "}" : ")");
  } else if (opening === "`" || opening.endsWith("(")) {
    source.isInBackticks = opening === "`";
    source.readScript(opening === "`" ? "`" : ")");
    source.isInBackticks = isInBackticks;
  }
  source.depth--;
  return `\0$${source.text.slice(start, source.at)}\0.`;
}

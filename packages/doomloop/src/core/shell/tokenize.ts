/** One simple command, or words such as `if` that hold several together. */
export interface Command {
  readonly words: string[];
  /** Where its input and output go, without what only moves error messages. */
  redirections: string;
  /** The texts of its here-documents. They are kept apart because `cat <<A > f` is `cat > f <<A`. */
  documents: string;
  /** What comes after it: a space after a word such as `then`, `case` after the pattern of a case. */
  operator: string;
}

/** A command line, read from left to right, each character once. */
interface Source {
  readonly text: string;
  at: number;
  /** How deep expansions nest here. */
  depth: number;
  isInBackticks: boolean;
  /** Where the bodies of this line's here-documents end; 0 if it has none. */
  documentsEnd: number;
  isFaulty: boolean;
  /** The commands inside substitutions. */
  readonly substitutions: Command[][];
}

/** Words after which another command begins. */
const OPENERS: ReadonlySet<string> = new Set("if then elif else while until do ! {".split(" "));
const BLANKS = /(?:[ \t\r]|\\\n)*(?:#[^\n]*)?/y;
const OPERATOR = /&&|\|\||\|&?|&(?!>)|[\n;()]/y;
const REDIRECTION = /(?:\d{0,3}|&)(?:<<<|<<-?|<[>&]?|>[>&|]?)(?!\()[ \t]*/y;
const LINE = /[^\n]*\n?/y;
/** Brackets inside which nothing is an operator. */
const TEST = /\(\([^\n]*?\)\)|\[\[ [^\n]*? \]\]/y;
/** Expansions that nest deeper than this were not written by people. */
const MAX_EXPANSIONS = 8;
const PLAIN_CHARACTERS = /[^\s;&|<>()'"\\$`*?[{]+/y;
const DOUBLE_QUOTED = /[^"\\$`]+/y;
const SINGLE_QUOTED = /'[^']*'/y;
const IN_BRACKETS = /[^(){}'"\\$`]+/y;
const OPENING = /`|[<>]\(|\$(?:\(\(?|\{|[A-Za-z_]\w*|[@*#?$!\d-])?/y;

/** Cuts a command line into commands, in time proportional to its length. The commands inside substitutions are listed apart. */
export function tokenize(text: string) {
  const source: Source = {
    text,
    at: 0,
    depth: 0,
    isInBackticks: false,
    documentsEnd: 0,
    isFaulty: false,
    substitutions: [],
  };
  const commands = readCommands(source, "");
  return { commands, substitutions: source.substitutions, isFaulty: source.isFaulty };
}

function readCommands(source: Source, closer: string): Command[] {
  const { text } = source;
  const commands: Command[] = [];
  let command: Command = { words: [], redirections: "", documents: "", operator: "" };
  let brackets = 0;
  let hasCase = false;
  const end = (operator: string): void => {
    command.operator = operator;
    if (operator !== ";" || command.words.length > 0 || command.redirections !== "") commands.push(command);
    command = { words: [], redirections: "", documents: "", operator: "" };
  };
  for (match(source, BLANKS); source.at < text.length; match(source, BLANKS)) {
    const isTest =
      text.startsWith("((", source.at) || (command.words.length === 0 && text.startsWith("[[ ", source.at));
    const operator = match(source, isTest ? TEST : OPERATOR);
    if (isTest) {
      if (operator === "") fail(source);
      command.words.push(operator.slice(0, 2), operator);
    } else if (operator === "\n") {
      source.at = Math.max(source.documentsEnd, source.at);
      source.documentsEnd = 0;
      end(";");
    } else if (operator === ")" && brackets === 0 && hasCase) {
      end("case");
    } else if (operator === "(" || operator === ")") {
      brackets += operator === "(" ? 1 : -1;
      // After one word it makes a function, after several an error.
      if (operator === "(" && command.words.length > 0 && text[source.at] !== ")") fail(source);
      if (brackets < 0) break;
      end(operator);
    } else if (operator === "" && closer === "`" && text[source.at] === "`") {
      source.at++;
      brackets--;
      break;
    } else if (operator === "") {
      const word = readPiece(source, command);
      if (word === "case") hasCase = true;
      if (OPENERS.has(word)) end(" ");
    } else end(operator === "|&" ? "|" : operator);
  }
  end(";");
  // Only a substitution closes one bracket more than it opens.
  if (brackets < 0 !== (closer !== "")) fail(source);
  return commands;
}

/** Reads a redirection or a word. Returns the word if it is the first of the command. */
function readPiece(source: Source, command: Command): string {
  const redirection = /[\d<>&]/.test(source.text[source.at]!) ? match(source, REDIRECTION).trimEnd() : "";
  const start = source.at;
  const word = readWord(source);
  if (source.at === start) fail(source);
  if (redirection === "") return command.words.push(word) === 1 ? word : "";
  if (redirection.endsWith("<<<")) command.documents += `\0<<${word}`;
  else if (redirection.includes("<<")) command.documents += `\0<${readDocument(source, word)}`;
  else if (!/^2>&1$|^2>>?\/dev\/null$/.test(redirection + word)) command.redirections += `\0>${redirection}${word}`;
  return "";
}

/** Reads the body of a here-document, which begins after this line, or after the body of the document before it. */
function readDocument(source: Source, delimiter: string): string {
  const { text, at } = source;
  const mark = /["'\\]/.test(text[at - 1]!) ? "'" : "$";
  if (source.documentsEnd > 0) source.at = source.documentsEnd;
  else match(source, LINE);
  const start = source.at;
  let end = start;
  while (end < text.length && match(source, LINE).replace(/^\t+/, "").trimEnd() !== delimiter) end = source.at;
  source.documentsEnd = source.at;
  source.at = at;
  return mark + text.slice(start, end);
}

/** What the pattern matches next; "" if nothing. */
function match(source: Source, pattern: RegExp): string {
  const start = source.at;
  pattern.lastIndex = start;
  if (!pattern.test(source.text)) return "";
  source.at = pattern.lastIndex;
  return source.text.slice(start, source.at);
}

/** Gives up: the text is not a shell command, or nests too deep. */
function fail(source: Source): void {
  source.isFaulty = true;
  source.at = source.text.length;
}

/**
 * Reads one word without its quotes, and marks what the shell expands: `"a b"` is `'a b'`, `"$x"` is not `'$x'`.
 * Marks begin with the null character, which no shell word contains.
 */
function readWord(source: Source): string {
  let word = "";
  for (;;) {
    word += match(source, PLAIN_CHARACTERS);
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
  // Brackets by themselves, and `{}`, are not patterns.
  if (character !== "\\") return /^(?:\[|\{\}?)(?:\s|$)/.test(text.slice(at, at + 3)) ? character : `\0${character}`;
  source.at++;
  const next = text.charAt(at + 1);
  if (next === "\n") return "";
  return isQuoted && !'"\\$`'.includes(next) ? character + next : next;
}

/** Reads from the opening character to the closing one, with the brackets in between. */
function readUntil(source: Source, open: string, close: string): string {
  const isQuoted = close === '"';
  let word = "";
  let depth = 1;
  source.at++;
  while (source.at < source.text.length) {
    word += match(source, isQuoted ? DOUBLE_QUOTED : IN_BRACKETS);
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
  if (++source.depth > MAX_EXPANSIONS) fail(source);
  else if (opening === "$((" || opening === "${") {
    source.at = start + 1;
    readUntil(source, opening[1]!, opening === "${" ? "}" : ")");
  } else if (opening === "`" || opening.endsWith("(")) {
    source.isInBackticks = opening === "`";
    source.substitutions.push(readCommands(source, opening === "`" ? "`" : ")"));
    source.isInBackticks = isInBackticks;
  }
  source.depth--;
  return `\0$${source.text.slice(start, source.at)}\0.`;
}

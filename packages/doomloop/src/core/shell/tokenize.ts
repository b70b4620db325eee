import { fail, match, readWord, type Source } from "./read-word.ts";

/** One simple command, or words that hold several together. */
export interface Command {
  readonly words: string[];
  /** Where its input and output go, without what only moves error messages. */
  redirections: string;
  /** The texts of its here-documents, apart from the rest because `cat <<A > f` is `cat > f <<A`. */
  documents: string;
  /** What stands behind; a space behind a word such as `then`, `case` behind the pattern of a case. */
  operator: string;
}

/** Words behind which another command begins. */
const OPENERS: ReadonlySet<string> = new Set("if then elif else while until do ! {".split(" "));
const BLANK = /(?:[ \t\r]|\\\n)*(?:#[^\n]*)?/y;
const OPERATOR = /&&|\|\||\|&?|&(?!>)|[\n;()]/y;
const REDIRECTION = /(?:\d{0,3}|&)(?:<<<|<<-?|<[>&]?|>[>&|]?)(?!\()[ \t]*/y;
const LINE = /[^\n]*\n?/y;
/** What stands in these brackets are no operators. */
const TEST = /\(\([^\n]*?\)\)|\[\[ [^\n]*? \]\]/y;

/** Cuts a command line into commands, in time proportional to its length; those of substitutions, however deep, apart. */
export function tokenize(text: string) {
  const substitutions: Command[][] = [];
  const readScript = (closer: string): void => void substitutions.push(readCommands(source, closer));
  const source: Source = { text, at: 0, depth: 0, isInBackticks: false, documentsEnd: 0, isFaulty: false, readScript };
  const commands = readCommands(source, "");
  return { commands, substitutions, isFaulty: source.isFaulty };
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
  for (match(source, BLANK); source.at < text.length; match(source, BLANK)) {
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
      // Behind one word it makes a function, behind several an error.
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
  // One bracket more is closed than opened if, and only if, this script is a substitution.
  if (brackets < 0 !== (closer !== "")) fail(source);
  return commands;
}

/** Reads a redirection or a word; returns the word if it is the command's first. */
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

/** Reads the body of a here-document, which begins behind the line, or behind the body of the one before. */
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

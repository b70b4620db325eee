import { recordOf, textOf } from "../../transcripts/foreign-value.ts";

const SPACE = /\s{0,200}/y;

const WORD = /[A-Za-z_$][\w$]{0,80}/y;

const PLAIN = /-?\d{1,15}(?:\.\d{1,15})?(?![\w$.])|(?:true|false|null)(?![\w$])/y;

const MAX_FIELDS = 50;

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v", "0": "\0" };

/** A call as it was meant. */
export interface CellCall {
  readonly tool: string;
  readonly args: unknown;
}

const NESTED = /\btools\.(\w{1,80})\(/g;
const MAX_CODE = 262_144;
const MAX_NESTED = 64;
const COMMAND = "exec_command";

/**
 * What a cell is about: newer versions of Codex have the model write JavaScript (`exec`) that calls the tools.
 *
 * A cell with one call in it, whose arguments stand there as they are, is that call. Several commands are one script, because the cell has one
 * outcome. Any other cell is its code.
 */
export function readCell(code: unknown): CellCall {
  const asWhole = { tool: "exec", args: { code } };
  if (typeof code !== "string" || code.length > MAX_CODE) return asWhole;
  const calls: CellCall[] = [];
  for (const found of code.matchAll(NESTED)) {
    const literal = literalAt(code, found.index + found[0].length);
    if (literal === undefined || calls.length >= MAX_NESTED) return asWhole;
    calls.push({ tool: found[1]!, args: literal.value });
  }
  if (calls.length === 1) return calls[0]!;
  const commands = calls.map(({ tool, args }) => (tool === COMMAND ? textOf(recordOf(args)?.cmd) : undefined));
  if (commands.length === 0 || commands.includes(undefined)) return asWhole;
  return { tool: COMMAND, args: { cmd: commands.join("\n") } };
}

/** A value that stands in a program as it is, and the place after it. */
interface Literal {
  readonly value: unknown;
  readonly end: number;
}

/** Reads a text, a number, a word like `true`, or an object of those from JavaScript; undefined for anything that would have to be run. */
function literalAt(code: string, from: number): Literal | undefined {
  const at = afterSpace(code, from);
  return code[at] === "{" ? objectAt(code, at) : simpleAt(code, at);
}

/** Objects in objects are not read: nothing that is looked for lies there, and foreign depth has no end. */
function objectAt(code: string, from: number): Literal | undefined {
  const fields: [string, unknown][] = [];
  let at = afterSpace(code, from + 1);
  while (code[at] !== "}") {
    const key = textAt(code, at) ?? match(WORD, code, at);
    const colon = key === undefined ? -1 : afterSpace(code, key.end);
    if (key === undefined || code[colon] !== ":") return undefined;
    const field = simpleAt(code, afterSpace(code, colon + 1));
    if (field === undefined || fields.push([String(key.value), field.value]) > MAX_FIELDS) return undefined;
    at = afterSpace(code, field.end);
    if (code[at] === ",") at = afterSpace(code, at + 1);
    else if (code[at] !== "}") return undefined;
  }
  return { value: Object.fromEntries(fields), end: at + 1 };
}

function simpleAt(code: string, at: number): Literal | undefined {
  const text = textAt(code, at);
  if (text !== undefined) return text;
  const plain = match(PLAIN, code, at);
  return plain === undefined ? undefined : { value: JSON.parse(String(plain.value)), end: plain.end };
}

/** A text in quotes of any kind; one with something to be filled in is none. */
function textAt(code: string, from: number): Literal | undefined {
  const quote = code[from];
  if (quote !== '"' && quote !== "'" && quote !== "`") return undefined;
  let value = "";
  for (let at = from + 1; at < code.length; at++) {
    const character = code[at]!;
    if (character === quote) return { value, end: at + 1 };
    if (quote === "`" ? code.startsWith("${", at) : character === "\n") return undefined;
    if (character !== "\\") {
      value += character;
      continue;
    }
    const escaped = code[++at] ?? "";
    const digits = escaped === "u" ? 4 : escaped === "x" ? 2 : 0;
    if (digits > 0) {
      const number = Number.parseInt(code.slice(at + 1, at + 1 + digits), 16);
      if (Number.isNaN(number)) return undefined;
      value += String.fromCharCode(number);
      at += digits;
    } else if (escaped !== "\n") value += ESCAPES[escaped] ?? escaped;
  }
  return undefined;
}

function afterSpace(code: string, from: number): number {
  return match(SPACE, code, from)?.end ?? from;
}

function match(pattern: RegExp, code: string, from: number): Literal | undefined {
  pattern.lastIndex = from;
  const found = pattern.exec(code);
  return found === null ? undefined : { value: found[0], end: pattern.lastIndex };
}

import { recordOf, textOf } from "../../transcripts/foreign-value.ts";

const SPACE = /\s{0,200}/y;

const WORD = /[A-Za-z_$][\w$]{0,80}/y;

const PLAIN = /-?\d{1,15}(?:\.\d{1,15})?(?![\w$.])|(?:true|false|null)(?![\w$])/y;

const MAX_FIELDS = 50;

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v", "0": "\0" };

/** The call that a cell stands for. */
export interface CellCall {
  readonly tool: string;
  readonly args: unknown;
}

const NESTED = /\btools\.(\w{1,80})\(/g;
const MAX_CODE = 262_144;
const MAX_NESTED = 64;
const COMMAND = "exec_command";

/**
 * Finds the call that a cell stands for. In newer versions of Codex, the model writes JavaScript (`exec`) that calls the tools.
 *
 * A cell with one call and literal arguments is that call. Several commands are one script, because the cell has one outcome. Any other cell
 * is its code.
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

/** A literal value in a program, and the position after it. */
interface Literal {
  readonly value: unknown;
  readonly end: number;
}

/** Reads a string, a number, a word like `true`, or an object of those from JavaScript. Undefined for anything that must be run. */
function literalAt(code: string, from: number): Literal | undefined {
  const at = afterSpace(code, from);
  return code[at] === "{" ? objectAt(code, at) : simpleAt(code, at);
}

/** Does not read objects within objects: nothing of interest is there, and they could be nested without end. */
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

/** A string in quotes of any kind. Undefined for a template with placeholders. */
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

import { jsonIn } from "../../transcripts/foreign-value.ts";

const DEFAULT_UNIT = "  ";

/** The first indented line is looked for only this far. */
const LAYOUT_CHARACTERS = 4000;

/** A value in a JSON text, with its position. */
export interface JsonNode {
  readonly type: "object" | "array" | "scalar";
  /** Its name, in an object. */
  readonly key: string | undefined;
  /** Where the member begins: at its name, if it has one. */
  readonly from: number;
  readonly start: number;
  end: number;
  /** Members or items. */
  readonly children: JsonNode[];
  /** Position of the comma after it. */
  comma: number | undefined;
  /** The value of a scalar. */
  readonly value?: unknown;
}

/** Settings are never this deep. */
const MAX_DEPTH = 100;
const BLANK = /\s/;
const SCALAR = /[^\s,\]}/]/;

/** Parses JSON that may contain comments and trailing commas. Undefined for any other text, which must not be edited. */
export function parseJsonText(text: string): JsonNode | undefined {
  const open: JsonNode[] = [];
  let root: JsonNode | undefined;
  let at = afterTrivia(text, 0);
  let key: { readonly name: string; readonly from: number } | undefined;
  while (at !== undefined && at < text.length) {
    const parent = open.at(-1);
    const character = text[at]!;
    const last = parent?.children.at(-1);
    if (root !== undefined && parent === undefined) return undefined;
    if (parent !== undefined && key === undefined && character === (parent.type === "object" ? "}" : "]")) {
      parent.end = at + 1;
      open.pop();
      at = afterTrivia(text, parent.end);
      continue;
    }
    if (character === ",") {
      if (key !== undefined || last === undefined || last.comma !== undefined) return undefined;
      last.comma = at;
      at = afterTrivia(text, at + 1);
      continue;
    }
    if (last !== undefined && last.comma === undefined && key === undefined) return undefined;
    if (parent?.type === "object" && key === undefined) {
      const end = endOfScalar(text, at);
      const name = end === undefined ? undefined : jsonIn(text.slice(at, end));
      const colon = end === undefined ? undefined : afterTrivia(text, end);
      if (typeof name !== "string" || colon === undefined || text[colon] !== ":") return undefined;
      key = { name, from: at };
      at = afterTrivia(text, colon + 1);
      continue;
    }
    const node = nodeAt(text, at, key);
    if (node === undefined || open.length >= MAX_DEPTH) return undefined;
    key = undefined;
    if (parent === undefined) root = node;
    else parent.children.push(node);
    if (node.type !== "scalar") open.push(node);
    at = afterTrivia(text, node.end);
  }
  return at === undefined || open.length > 0 ? undefined : root;
}

function nodeAt(
  text: string,
  at: number,
  key: { readonly name: string; readonly from: number } | undefined,
): JsonNode | undefined {
  const base = { key: key?.name, from: key?.from ?? at, start: at, children: [], comma: undefined };
  if (text[at] === "{") return { ...base, type: "object", end: at + 1 };
  if (text[at] === "[") return { ...base, type: "array", end: at + 1 };
  const end = endOfScalar(text, at);
  const value = end === undefined ? undefined : jsonIn(text.slice(at, end));
  return end === undefined || value === undefined ? undefined : { ...base, type: "scalar", end, value };
}

function endOfScalar(text: string, start: number): number | undefined {
  let at = start;
  if (text[at] !== '"') {
    while (at < text.length && SCALAR.test(text[at]!)) at++;
    return at === start ? undefined : at;
  }
  for (at++; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at + 1;
  }
  return undefined;
}

/** Position of the next character that is neither blank nor part of a comment. Undefined if a comment does not end. */
function afterTrivia(text: string, from: number): number | undefined {
  let at = from;
  while (at < text.length) {
    if (text.startsWith("//", at)) {
      const end = text.indexOf("\n", at);
      at = end < 0 ? text.length : end;
    } else if (text.startsWith("/*", at)) {
      const end = text.indexOf("*/", at + 2);
      if (end < 0) return undefined;
      at = end + 2;
    } else if (BLANK.test(text[at]!) || text[at] === "\uFEFF") at++;
    else break;
  }
  return at;
}

/** The child with this name. */
export function childOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return node?.children.find((child) => child.key === key);
}

/** The layout of a text. */
interface Layout {
  readonly newline: string;
  /** The indentation of one level. */
  readonly unit: string;
}

/** Adds a value at the end of an object or array, in the layout of the text. Nothing else in the text changes. */
export function addChild(text: string, parent: JsonNode, key: string | undefined, value: unknown): string {
  const layout = layoutOf(text);
  const name = key === undefined ? "" : `${JSON.stringify(key)}:`;
  const last = parent.children.at(-1);
  const isOneLine = last !== undefined && !text.slice(parent.start, parent.end).includes("\n");
  if (isOneLine) {
    const written = `${name}${JSON.stringify(value)}`;
    return last.comma === undefined
      ? insert(text, last.end, `,${written}`)
      : insert(text, last.comma + 1, `${written},`);
  }
  const outer = indentAt(text, parent.from);
  const own = last === undefined ? undefined : indentOf(text, last.from);
  const indent = own ?? `${outer}${layout.unit}`;
  const line = `${layout.newline}${indent}`;
  const written = `${line}${name === "" ? "" : `${name} `}${laidOut(value, line, layout.unit)}`;
  if (last === undefined) return intoEmpty(text, parent, written, `${layout.newline}${outer}`);
  if (last.comma !== undefined) return insert(text, endOfLine(text, last.comma + 1, parent.end - 1), `${written},`);
  const withComma = insert(text, last.end, ",");
  return insert(withComma, endOfLine(withComma, last.end + 1, parent.end), written);
}

/** Removes a child with one comma, and with its line if that would be empty. */
export function removeChild(text: string, parent: JsonNode, child: JsonNode): string {
  const at = parent.children.indexOf(child);
  const before = parent.children[at - 1];
  const end = child.comma === undefined ? child.end : child.comma + 1;
  let start = child.from;
  while (start > parent.start + 1 && /[ \t]/.test(text[start - 1]!)) start--;
  if (text[start - 1] === "\n" && start - 1 > parent.start) start -= text[start - 2] === "\r" ? 2 : 1;
  else start = child.from;
  const without = text.slice(0, start) + text.slice(end);
  const isTrailing = child.comma === undefined && before?.comma !== undefined;
  const cut = isTrailing ? without.slice(0, before.comma) + without.slice(before.comma! + 1) : without;
  return parent.children.length > 1 ? cut : emptied(cut, parent.start);
}

/** Writes an object of lists with one line for each list, and anything else on one line, so that a diff is easy to read. */
function laidOut(value: unknown, line: string, unit: string): string {
  const members = typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  if (members.length === 0 || !members.every(([, member]) => Array.isArray(member))) return inLine(value);
  return `{${members.map(([name, list]) => `${line}${unit}${JSON.stringify(name)}: ${inLine(list)}`).join(",")}${line}}`;
}

/** A value as JSON on one line, with spaces. */
function inLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}: ${inLine(member)}`)
    .join(", ")} }`;
}

/** Removes the blanks in an object or array that is empty. */
function emptied(text: string, start: number): string {
  let end = start + 1;
  while (end < text.length && /\s/.test(text[end]!)) end++;
  return text[end] === "}" || text[end] === "]" ? text.slice(0, start + 1) + text.slice(end) : text;
}

function intoEmpty(text: string, parent: JsonNode, written: string, closing: string): string {
  const inner = text.slice(parent.start + 1, parent.end - 1);
  const kept = inner.trimEnd();
  return text.slice(0, parent.start + 1) + kept + written + closing + text.slice(parent.end - 1);
}

function insert(text: string, at: number, piece: string): string {
  return text.slice(0, at) + piece + text.slice(at);
}

/** The end of the line, after a comment that belongs to it, but not beyond the bracket. */
function endOfLine(text: string, from: number, bracket: number): number {
  let at = from;
  let end = from;
  while (at < bracket) {
    if (text[at] === "\n" || text.startsWith("\r\n", at)) return end;
    const isComment = text.startsWith("//", at) || text.startsWith("/*", at);
    if (!isComment && !/\s/.test(text[at]!)) return end;
    at = isComment ? endOfComment(text, at) : at + 1;
    if (isComment) end = at;
  }
  return end;
}

function endOfComment(text: string, at: number): number {
  if (text.startsWith("/*", at)) return text.indexOf("*/", at + 2) + 2;
  const end = text.indexOf("\n", at);
  if (end < 0) return text.length;
  return text[end - 1] === "\r" ? end - 1 : end;
}

function layoutOf(text: string): Layout {
  const newline = /\r?\n/.exec(text)?.[0] ?? "\n";
  const unit = /\n([ \t]{1,10})\S/.exec(text.slice(0, LAYOUT_CHARACTERS))?.[1];
  return { newline, unit: unit ?? DEFAULT_UNIT };
}

/** The indentation of the line that contains a position. */
function indentAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  return /^[ \t]*/.exec(line)![0];
}

/** The indentation of a value that begins a line. Undefined for any other. */
function indentOf(text: string, at: number): string | undefined {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  return /^[ \t]*$/.test(line) ? line : undefined;
}

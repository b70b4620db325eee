/** A value of a JSON text, with its place. */
export interface JsonNode {
  readonly type: "object" | "array" | "scalar";
  /** Its name, in an object. */
  readonly key: string | undefined;
  /** Where it begins: at its name, where it has one. */
  readonly from: number;
  readonly start: number;
  end: number;
  /** Members or items. */
  readonly children: JsonNode[];
  /** Of an item: the comma behind it. */
  comma: number | undefined;
  /** Of a scalar: what it says. */
  readonly value?: unknown;
}

/** Deeper texts are nobody's settings. */
const MAX_DEPTH = 100;
const BLANK = /\s/;
const SCALAR = /[^\s,\]}/]/;

/** Reads a JSON text that may hold comments and commas before a bracket. Undefined for what is none: then it is left alone. */
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
      const name = end === undefined ? undefined : scalarOf(text.slice(at, end));
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
  const value = end === undefined ? undefined : scalarOf(text.slice(at, end));
  return end === undefined || value === undefined ? undefined : { ...base, type: "scalar", end, value };
}

function scalarOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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

/** Where the next thing that is neither blank nor comment begins; undefined where a comment has no end. */
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

/** The child of a name. */
export function childOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return node?.children.find((child) => child.key === key);
}

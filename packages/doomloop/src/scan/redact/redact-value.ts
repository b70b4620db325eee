import { WORD } from "./letters.ts";
import type { Pseudonyms } from "./pseudonyms.ts";
import { redactPlainNumber, redactText } from "./redact-text.ts";

export interface RedactValueOptions {
  readonly names: Pseudonyms;
  /** Longer texts lose their middle. A mark in its place tells them apart. */
  readonly longestText: number;
}

type Container = unknown[] | Record<string, unknown>;

/** Slightly more than the core's own limits for depth and parts. */
const MAX_DEPTH = 66;
const MAX_NODES = 20_100;

/** Redacts texts, names and long numbers in plain data. Anything else, and anything beyond the limits, becomes null. */
export function redactValue(root: unknown, options: RedactValueOptions): unknown {
  const holder: unknown[] = [];
  const drawn = new Map<object, Map<string, unknown>>();
  const waiting: { value: unknown; into: Container; key: string | number; depth: number }[] = [
    { value: root, into: holder, key: 0, depth: 0 },
  ];
  for (let nodes = 0, next = waiting.pop(); next !== undefined; next = waiting.pop(), nodes++) {
    const { value, into, key, depth } = next;
    const isContainer = typeof value === "object" && value !== null && depth < MAX_DEPTH && nodes < MAX_NODES;
    const redacted = isContainer ? (Array.isArray(value) ? [] : {}) : redactPrimitive(value, options);
    put(into, key, redacted);
    if (!isContainer) continue;
    drawPieces(value, childrenOf, options.names, drawn);
    const pieces = drawn.get(value);
    const children = childrenOf(value);
    for (const [name, child] of children) {
      const own = Array.isArray(redacted)
        ? Number(name)
        : freeName(redacted as object, redactText(name, options.names));
      // Fields are set now, so that their order stays the same.
      put(redacted as Container, own, pieces?.get(name) ?? null);
      if (pieces?.has(name) !== true)
        waiting.push({ value: child, into: redacted as Container, key: own, depth: depth + 1 });
    }
  }
  return holder[0];
}

/**
 * Redacts a text, and removes the middle of a long one. The core compares the beginning of a call, and both ends of an
 * answer.
 */
export function redactLongText(text: string, { names, longestText }: RedactValueOptions): string {
  if (text.length <= longestText) return redactText(text, names);
  const half = Math.floor(longestText / 2);
  const [head, tail] = [text.slice(0, half), text.slice(-half)];
  return `${redactText(head, names)}\n...${names.markOf(text)}...\n${redactText(tail, names)}`;
}

function redactPrimitive(value: unknown, options: RedactValueOptions): unknown {
  if (typeof value === "string") return redactLongText(value, options);
  if (typeof value === "boolean") return value;
  if (typeof value !== "number" || !Number.isFinite(value)) return null;
  return redactPlainNumber(value, options.names);
}

/** Reads fields without running getters. */
function childrenOf(value: object): [name: string, value: unknown][] {
  return Object.keys(value)
    .slice(0, MAX_NODES)
    .map((name) => [name, Object.getOwnPropertyDescriptor(value, name)?.value]);
}

function freeName(owner: object, name: string): string {
  let free = name;
  while (Object.hasOwn(owner, free)) free += "_";
  return free;
}

/** Defines the field instead of assigning it, because `__proto__` is a valid name. */
function put(into: Container, key: string | number, value: unknown): void {
  Object.defineProperty(into, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Replacements for a container's own values, by name. */
type DrawnValues = Map<string, unknown>;

interface Leaf {
  readonly owner: object;
  readonly name: string;
  readonly value: unknown;
}

/** From this number on, pieces may be spelt-out text: characters or their numbers. */
const ROW = 6;
const MAX_SMALL = 1000;
const PIECE = /^(?:.|\d{1,3}|(?:0x)?[\dA-Fa-f]{2})$/su;
const HAS_WORD = new RegExp(`[${WORD}]`);

/**
 * Replaces the values of a container that mostly holds pieces of text, directly or in its own containers, and records
 * the replacements. Other containers are redacted value by value.
 */
function drawPieces(
  value: object,
  childrenOf: (value: object) => readonly [name: string, value: unknown][],
  names: Pseudonyms,
  drawn: Map<object, DrawnValues>,
): void {
  if (drawn.has(value)) return;
  const leaves = childrenOf(value).flatMap(([name, child]): Leaf[] =>
    isContainer(child)
      ? childrenOf(child).map(([own, inner]) => ({ owner: child, name: own, value: inner }))
      : [{ owner: value, name, value: child }],
  );
  if (leaves.length < ROW) return;
  const isOfNumbers = leaves.every((leaf) => typeof leaf.value === "number");
  const pieces = isOfNumbers ? leaves : leaves.filter((leaf) => isPiece(leaf.value));
  if (pieces.length * 2 <= leaves.length) return;
  const told = pieces.filter((leaf) => HAS_WORD.test(String(leaf.value)));
  const row = names.rowOf(told.map((leaf) => String(leaf.value)).join("\n")).split("\n");
  for (const [at, { owner, name, value: own }] of told.entries()) {
    const values = drawn.get(owner) ?? new Map<string, unknown>();
    drawn.set(owner, values.set(name, typeof own === "number" ? Number(row[at]) || 0 : row[at]));
  }
}

function isPiece(value: unknown): boolean {
  return typeof value === "number" ? Math.abs(value) < MAX_SMALL : typeof value === "string" && PIECE.test(value);
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

import type { Pseudonyms } from "./pseudonyms.ts";
import { WORD } from "./word-characters.ts";

/** What comes in the place of a container's own values, by their names. */
type DrawnValues = Map<string, unknown>;

interface Leaf {
  readonly owner: object;
  readonly name: string;
  readonly value: unknown;
}

/** From as many on, pieces may be a text that was spelt out: characters, or the numbers of such. */
const ROW = 6;
const MAX_SMALL = 1000;
const PIECE = /^(?:.|\d{1,3}|(?:0x)?[\dA-Fa-f]{2})$/su;
const HAS_WORD = new RegExp(`[${WORD}]`);

/**
 * Draws anew the values of a container that are mostly pieces, in itself or in the containers that it holds, and notes them for each. Leaves all others
 * to be redacted one by one.
 */
export function drawPieces(
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

import { drawPieces } from "./draw-pieces.ts";
import { redactPlainNumber } from "./numbers.ts";
import type { Pseudonyms } from "./pseudonyms.ts";
import { redactText } from "./redact-text.ts";

export interface RedactValueOptions {
  readonly names: Pseudonyms;
  /** Longer texts lose their middle; a mark keeps them apart from others. */
  readonly longestText: number;
}

type Container = unknown[] | Record<string, unknown>;

/** The core compares nothing that is deeper or has more parts; a little more than that stays so. */
const MAX_DEPTH = 66;
const MAX_NODES = 20_100;

/** A value of plain data with its texts, names and long numbers redacted. What is no plain data, or too much of it, becomes null. */
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
      // Names are claimed in order, so that they stay in it.
      put(redacted as Container, own, pieces?.get(name) ?? null);
      if (pieces?.has(name) !== true)
        waiting.push({ value: child, into: redacted as Container, key: own, depth: depth + 1 });
    }
  }
  return holder[0];
}

/** A text without its middle where it is long: what the core compares of a call by likeness stands at its beginning, of an answer at both ends. */
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

/** Reads without running a getter. */
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

/** By definition, not by assignment: `__proto__` is a name as any other. */
function put(into: Container, key: string | number, value: unknown): void {
  Object.defineProperty(into, key, { value, writable: true, enumerable: true, configurable: true });
}

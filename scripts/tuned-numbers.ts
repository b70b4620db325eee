import { globSync } from "node:fs";
import { resolve } from "node:path";
import { parseSync } from "oxc-parser";
import { readText, root } from "./repository.ts";

/**
 * Lists numbers of the core that somebody may have tuned and that are not in `numbers.ts`. It can't know a tuned number, so it leaves out what is none
 * by its form: 0, 1, 2; units, where they have no name; hexadecimal numbers; powers of two from 64 up, which are masks and sizes of memory; operands of
 * bit operations; codes of characters; the radix of a number's text; and constants that bound a size by their names. A time is never a size,
 * whatever its name says. Numbers in regular expressions bound what is matched.
 */
const CORE = "packages/doomloop/src/core";
/** Tables and hashes: published rules, which nobody tunes. */
const ARITHMETIC = /^(?:collections\/|hash\.ts|identity\/(?:digest|utf8)\.ts)/;
const COUNTS = [0, 1, 2];
const UNITS = [10, 60, 100, 1_000, 60_000, 3_600_000, 86_400_000];
const IS_BIT_OPERATION = /^(?:<<|>>>?|[&|^])=?$/;
const IS_BOUND = /^(?:MOST|MAX|LONGEST)(?:_(?!.*_MS$)|$)/;
const IS_CODE = /^(?:code|unit|lower|byte)$/;
const TAKES_RADIX = /^(?:toString|parseInt)$/;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

const files = globSync("**/*.ts", { cwd: resolve(root, CORE) })
  .filter((file) => !/\.test(?:-d)?\.ts$/.test(file) && !file.endsWith("numbers.ts") && !ARITHMETIC.test(file))
  .sort();
const found = files.flatMap((file) => {
  const text = readText(`${CORE}/${file}`);
  return numbersIn(parseSync(file, text).program as unknown as Node).map(({ start, raw }) => {
    const line = text.slice(0, start).split("\n").length;
    return `${`${file}:${line}`.padEnd(32)} ${String(raw).padEnd(10)} ${text.split("\n")[line - 1]!.trim()}`;
  });
});
for (const words of found) console.log(words);
console.log(`${found.length} numbers that may be tuned outside of ${CORE}/evidence/numbers.ts`);

function numbersIn(parent: Node): Node[] {
  return Object.entries(parent).flatMap(([field, value]) =>
    [value].flat().flatMap((child: unknown): Node[] => {
      if (!isNode(child)) return [];
      if (parent.type === "VariableDeclarator" && IS_BOUND.test(nameOf(parent.id))) return [];
      if (child.type !== "Literal") return numbersIn(child);
      return typeof child.value !== "number" || isPlain(child) || isPlainHere(parent, field, child.value)
        ? []
        : [child];
    }),
  );
}

function isPlain({ value, raw }: Node): boolean {
  const number = value as number;
  return COUNTS.includes(number) || /^0x/i.test(String(raw)) || (number >= 64 && Number.isInteger(Math.log2(number)));
}

function isPlainHere(
  { type, operator, left, right, callee, arguments: given }: Node,
  field: string,
  value: number,
): boolean {
  if (type === "CallExpression" && given !== undefined) {
    const called = callee as Node;
    if (TAKES_RADIX.test(nameOf(called.property ?? called))) return true;
  }
  const isOperand = type === "BinaryExpression" || type === "AssignmentExpression";
  if (isOperand && IS_BIT_OPERATION.test(String(operator))) return true;
  if (isOperand && IS_CODE.test(nameOf(field === "left" ? right : left))) return true;
  return type !== "VariableDeclarator" && type !== "AssignmentPattern" && UNITS.includes(value);
}

function nameOf(node: unknown): string {
  return String((node as Node | undefined)?.name ?? "");
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

import { globSync, readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { check, type Diagnostics } from "recheck";

/** Checks every regular expression of the packages for attacks by slow matching. */
const root = resolve(import.meta.dirname, "..");

/**
 * The fuzzer stops a match that takes too long, and blames the expression. By the clock, sound ones are blamed on a busy machine:
 * characters are counted instead, so that an answer is the same everywhere.
 */
const COUNTED = { attackLimit: 100_000_000, attackTimeout: null, incubationTimeout: null, seedingTimeout: null };

interface Expression {
  place: string;
  source: string;
  flags: string;
}

const expressions: Expression[] = [];
const unreadable: string[] = [];

for (const file of globSync("packages/*/src/**/*.ts", { cwd: root })) {
  if (!/\.test(?:-d)?\.ts$/.test(file)) collect(resolve(root, file));
}

let faults = 0;
for (const { place, source, flags } of expressions) {
  const diagnostics = await diagnose(source, flags);
  if (diagnostics.status === "safe") continue;
  faults++;
  const reason =
    diagnostics.status === "vulnerable"
      ? `${diagnostics.complexity.summary}, attack ${diagnostics.attack.pattern}`
      : `unknown: ${diagnostics.error.kind}`;
  console.log(`${place}: /${source}/${flags} is ${diagnostics.status}: ${reason}`);
}
for (const place of unreadable)
  console.log(`${place}: this expression is put together at run time, and is not checked`);
console.log(`${expressions.length} regular expressions, ${faults} at fault, ${unreadable.length} not readable`);
process.exitCode = faults === 0 ? 0 : 1;

function diagnose(source: string, flags: string): Promise<Diagnostics> {
  return check(source, flags, { ...COUNTED, timeout: 600_000 });
}

function collect(path: string): void {
  const text = readFileSync(path, "utf8");
  const place = (offset: number) => `${relative(root, path)}:${text.slice(0, offset).split("\n").length}`;

  const construct = (node: { callee: unknown; arguments: unknown[]; start: number }) => {
    const callee = node.callee as { type: string; name?: string };
    if (callee.type !== "Identifier" || callee.name !== "RegExp") return;
    const [pattern, flags = ""] = node.arguments.map(textOf);
    if (pattern === undefined || flags === undefined) unreadable.push(place(node.start));
    else expressions.push({ place: place(node.start), source: pattern, flags });
  };

  new Visitor({
    Literal(node) {
      if (!("regex" in node)) return;
      expressions.push({ place: place(node.start), source: node.regex.pattern, flags: node.regex.flags });
    },
    NewExpression: construct,
    CallExpression: construct,
  }).visit(parseSync(path, text).program);
}

/** The value of a string written in one piece; undefined for everything else. */
function textOf(node: unknown): string | undefined {
  const literal = node as { type: string; value?: unknown; quasis?: { value: { cooked: string } }[] };
  if (literal.type === "Literal" && typeof literal.value === "string") return literal.value;
  if (literal.type === "TemplateLiteral" && literal.quasis?.length === 1) return literal.quasis[0]?.value.cooked;
  return undefined;
}

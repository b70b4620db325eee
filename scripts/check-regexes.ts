import { globSync, readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { check } from "recheck";

/** Checks every regular expression of the packages, or of the files that are named, for attacks by slow matching: two minutes in `.ci/run --deep`. */
const root = resolve(import.meta.dirname, "..");

/**
 * The fuzzer stops a match that takes too long, and blames the expression. By the clock, it would blame safe ones on a busy machine. It counts
 * characters instead, so the answer is the same everywhere. Only what it can't decide is given up by the clock, and is no fault.
 */
const PARAMETERS = {
  attackLimit: 100_000_000,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  timeout: 20_000,
};
/** Nothing is begun after this time. */
const WHOLE_MS = 240_000;

/** The place of each expression: one that occurs twice is checked once. */
const expressions = new Map<string, string>();
const unread: string[] = [];
const faults: string[] = [];
const named = process.argv.slice(2).map((file) => relative(root, resolve(file)));
const files = named.length > 0 ? named : globSync("packages/*/src/**/*.{ts,tsx}", { cwd: root });
for (const file of files) if (!/\.test(?:-d)?\.ts$/.test(file)) collect(resolve(root, file));

const queue = expressions.entries();
await Promise.all([checkNext(), checkNext()]);
for (const words of [...unread, ...faults]) console.log(words);
console.log(`${expressions.size} regular expressions, ${unread.length} not decided, ${faults.length} at fault`);
process.exitCode = faults.length === 0 ? 0 : 1;

/** Takes the next expression from the queue until it is empty. */
async function checkNext(): Promise<void> {
  for (const [expression, place] of queue) {
    const [source, flags] = JSON.parse(expression) as [string, string];
    const diagnostics = performance.now() > WHOLE_MS ? undefined : await check(source, flags, PARAMETERS);
    if (diagnostics === undefined) unread.push(`${place}: not decided, for want of time`);
    if (diagnostics?.status === "unknown") unread.push(`${place}: not decided within ${PARAMETERS.timeout / 1000} s`);
    if (diagnostics?.status !== "vulnerable") continue;
    const { complexity, attack } = diagnostics;
    faults.push(`${place}: /${source}/${flags}: ${complexity.summary}, attack ${attack.pattern}`);
  }
}

function collect(path: string): void {
  const text = readFileSync(path, "utf8");
  const place = (offset: number) => `${relative(root, path)}:${text.slice(0, offset).split("\n").length}`;
  const add = (offset: number, ...expression: [string, string]) =>
    expressions.set(JSON.stringify(expression), place(offset));
  const construct = (node: { callee: unknown; arguments: unknown[]; start: number }) => {
    const callee = node.callee as { type: string; name?: string };
    if (callee.type !== "Identifier" || callee.name !== "RegExp") return;
    const [pattern, flags = ""] = node.arguments.map(textOf);
    if (pattern === undefined || flags === undefined)
      unread.push(`${place(node.start)}: not decided, because it is put together`);
    else add(node.start, pattern, flags);
  };

  new Visitor({
    Literal(node) {
      if ("regex" in node) add(node.start, node.regex.pattern, node.regex.flags);
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

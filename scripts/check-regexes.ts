import { createHash } from "node:crypto";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative, resolve } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { check } from "recheck";

/**
 * Checks every regular expression of the packages for attacks by slow matching.
 *
 * A few take recheck seconds each, so `safe-regexes.txt` has a digest of each expression that was found safe, and only the others are checked.
 * `--write` adds those and removes what the source has no longer. `--all` checks every expression, whatever the list says.
 */
const root = resolve(import.meta.dirname, "..");
const listFile = join(import.meta.dirname, "safe-regexes.txt");
const [mode = ""] = process.argv.slice(2);

/**
 * The fuzzer stops a match that takes too long, and blames the expression. By the clock, it would blame safe ones on a busy machine. It counts
 * characters instead, so the answer is the same everywhere.
 */
const PARAMETERS = {
  attackLimit: 100_000_000,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  timeout: 600_000,
};

interface Expression {
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/** By digest: an expression that occurs twice is checked once. */
const expressions = new Map<string, Expression>();
const unreadable: string[] = [];
const { version } = createRequire(import.meta.url)("recheck/package.json") as { version: string };
for (const file of globSync("packages/*/src/**/*.{ts,tsx}", { cwd: root })) {
  if (!/\.test(?:-d)?\.ts$/.test(file)) collect(resolve(root, file));
}

const known = new Set(mode === "--all" ? [] : readFileSync(listFile, "utf8").split("\n"));
const unknown = [...expressions].filter(([digest]) => !known.has(digest));
const safe = [...expressions.keys()].filter((digest) => known.has(digest));
const queue = unknown.values();
await Promise.all([checkNext(), checkNext()]);
if (mode === "--write")
  writeFileSync(
    listFile,
    safe
      .sort()
      .map((digest) => `${digest}\n`)
      .join(""),
  );

const faults = expressions.size - safe.length;
for (const place of unreadable)
  console.log(`${place}: this expression is put together at run time, and is not checked`);
console.log(
  `${expressions.size} regular expressions, ${unknown.length} checked now, ${faults} at fault, ${unreadable.length} not readable`,
);
process.exitCode = faults === 0 ? 0 : 1;

/** Takes the next expression from the queue until it is empty. */
async function checkNext(): Promise<void> {
  for (const [digest, { place, source, flags }] of queue) {
    const diagnostics = await check(source, flags, PARAMETERS);
    if (diagnostics.status === "safe") safe.push(digest);
    else {
      const reason =
        diagnostics.status === "vulnerable"
          ? `${diagnostics.complexity.summary}, attack ${diagnostics.attack.pattern}`
          : diagnostics.error.kind;
      console.log(`${place}: /${source}/${flags} is ${diagnostics.status}: ${reason}`);
    }
  }
}

function collect(path: string): void {
  const text = readFileSync(path, "utf8");
  const place = (offset: number) => `${relative(root, path)}:${text.slice(0, offset).split("\n").length}`;
  const add = (offset: number, source: string, flags: string) => {
    // Another version of recheck, or other parameters, may answer otherwise.
    const hash = createHash("sha256").update(JSON.stringify([version, PARAMETERS, source, flags]));
    expressions.set(hash.digest("hex").slice(0, 32), { place: place(offset), source, flags });
  };
  const construct = (node: { callee: unknown; arguments: unknown[]; start: number }) => {
    const callee = node.callee as { type: string; name?: string };
    if (callee.type !== "Identifier" || callee.name !== "RegExp") return;
    const [pattern, flags = ""] = node.arguments.map(textOf);
    if (pattern === undefined || flags === undefined) unreadable.push(place(node.start));
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

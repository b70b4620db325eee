import { globSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { OPEN, textsOfPattern } from "./vocabulary/texts-of-pattern.ts";

/**
 * Writes the words that the core's own rules know, from its sources, into the module that keeps them in a redacted trace. `--check` writes nothing,
 * and fails if the module is not what the sources say.
 */
const root = resolve(import.meta.dirname, "..");
const target = resolve(root, "packages/doomloop/src/scan/redact/vocabulary.ts");
const core = resolve(root, "packages/doomloop/src/core");
/** Where the rules are that read what agents do; the other folders have words for people. */
const RULES = ["{identity,judge,outcome,progress,shell}/*.ts", "message-prefix.ts", "words/stated-intent.ts"];
const NO_RULES = /\.test(?:-d)?\.ts$|-options\.ts$/;
const WIDTH = 116;

const words = new Set<string>();
const endings = new Set<string>();
for (const file of globSync(RULES, { cwd: core }).sort()) if (!NO_RULES.test(file)) readSource(resolve(core, file));
const text = moduleOf(sorted(words), sorted(endings));

if (!process.argv.includes("--check")) writeFileSync(target, text);
else if (readFileSync(target, "utf8") !== text) {
  console.log(
    "packages/doomloop/src/scan/redact/vocabulary.ts is not what the core says: node scripts/write-vocabulary.ts",
  );
  process.exitCode = 1;
}

function readSource(path: string): void {
  const { program } = parseSync(path, readFileSync(path, "utf8"));
  const imported = new Set<unknown>();
  new Visitor({
    ImportDeclaration: ({ source }) => void imported.add(source),
    Literal(node) {
      if ("regex" in node) for (const each of textsOfPattern(node.regex.pattern)) addWords(each);
      else if (typeof node.value === "string" && !imported.has(node)) addWords(node.value);
    },
    TemplateElement: ({ value }) => addWords(value.cooked ?? value.raw),
  }).visit(program);
}

function addWords(said: string): void {
  for (const [written] of said.replaceAll(/([a-z])(?=[A-Z])/g, "$1 ").matchAll(/[A-Za-z0-9~]+/g)) {
    const parts = written.toLowerCase().split(OPEN);
    parts.forEach((part, at) => {
      if (!/[a-z]/.test(part)) return;
      if (part.length > 1) words.add(part);
      if (at > 0 && /^[a-z]{2,}$/.test(part)) endings.add(part);
    });
  }
}

function sorted(all: ReadonlySet<string>): string[] {
  return [...all].sort((one, other) => (one < other ? -1 : 1));
}

function moduleOf(all: readonly string[], ends: readonly string[]): string {
  return [
    "// Written by scripts/write-vocabulary.ts from the core's sources. Do not edit.\n",
    "const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\\s+/));\n",
    "/** The words that the core's rules know. Nothing foreign is among them. */",
    `export const VOCABULARY = list(\`\n${lines(all)}\`);\n`,
    "/** Those that the rules also find at the end of longer words. */",
    `export const ENDINGS = list(\`\n${lines(ends)}\`);\n`,
  ].join("\n");
}

function lines(all: readonly string[]): string {
  const rows: string[] = [];
  for (const word of all) {
    const last = rows.at(-1);
    if (last === undefined || last.length + word.length + 1 > WIDTH) rows.push(`  ${word}`);
    else rows[rows.length - 1] = `${last} ${word}`;
  }
  return rows.join("\n");
}

import { globSync } from "node:fs";
import { resolve } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { keepFile, readText, root } from "../repository.ts";

const TARGET = "packages/doomloop/src/scan/redact/vocabulary.ts";
const CORE = "packages/doomloop/src/core";
/** Where the rules are that read what agents do; the other folders have words for people. */
const RULES = "{evidence,hints,identity,outcome,progress}/*.ts";
const NO_RULES = /\.test(?:-d)?\.ts$|-options\.ts$/;
/** Of the heart that stands beside the one in use, whose rules no trace needs yet. */
const NOT_IN_USE = /^hints\/(?!frame|request)/;
const WIDTH = 116;
/** Stands for letters that a pattern leaves open. */
const OPEN = "~";
/** Stands for whatever ends a word. */
const END = " ";
/** More texts than this are not put together: what comes next begins anew. */
const MOST = 2000;

interface Source {
  readonly pattern: string;
  at: number;
}

const words = new Set<string>();
const endings = new Set<string>();

/** The words that the core's own rules know, from its sources, in the module that keeps them in a redacted trace. */
export function keepVocabulary(): readonly string[] {
  const files = globSync(RULES, { cwd: resolve(root, CORE) }).sort();
  for (const file of files) if (!NO_RULES.test(file) && !NOT_IN_USE.test(file)) readSource(`${CORE}/${file}`);
  const text = moduleOf(sorted(words), sorted(endings));
  return keepFile(TARGET, text);
}

function readSource(path: string): void {
  const { program } = parseSync(path, readText(path));
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
    "// Written by `npm run fix` from the core's sources. Do not edit.\n",
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

/**
 * The texts that a regular expression of ours speaks of, as far as they are letters and digits. `fail(?:ed|ure)?` is `fail`, `failed` and
 * `failure`; where it leaves letters open, as in `\w{0,20}ing`, stands {@link OPEN}. Reads what our sources use, not all that there is.
 */
function textsOfPattern(pattern: string): readonly string[] {
  const done: string[] = [];
  const source: Source = { pattern, at: 0 };
  // An expression that says nothing of where it begins finds its words inside others, too.
  const texts = readAlternatives(source, done).map((text) => OPEN + text + OPEN);
  if (source.at < pattern.length) throw new Error(`textsOfPattern: cannot read ${pattern} from ${source.at} on`);
  return [...done, ...texts];
}

function readAlternatives(source: Source, done: string[]): string[] {
  const all = readSequence(source, done);
  while (source.pattern[source.at] === "|") {
    source.at++;
    all.push(...readSequence(source, done));
  }
  return [...new Set(all)];
}

function readSequence(source: Source, done: string[]): string[] {
  let texts = [""];
  while (source.at < source.pattern.length && !"|)".includes(source.pattern[source.at]!)) {
    const next = readQuantifier(source, readAtom(source, done));
    if (texts.length * next.length > MOST) {
      done.push(...texts);
      texts = [END];
    }
    texts = [...new Set(texts.flatMap((text) => next.map((more) => text + more)))];
  }
  return texts;
}

function readQuantifier(source: Source, texts: string[]): string[] {
  const [quantifier, least] = /^(?:[*?]|\+|\{(\d+)(?:,\d*)?\})\??/.exec(source.pattern.slice(source.at)) ?? ["", ""];
  source.at += quantifier.length;
  return /^[*?]/.test(quantifier) || least === "0" ? ["", ...texts] : texts;
}

function readAtom(source: Source, done: string[]): string[] {
  const { pattern } = source;
  const character = pattern[source.at++]!;
  if (character === "(") {
    source.at += /^\?(?:[:=!]|<[=!]|<\w+>)/.exec(pattern.slice(source.at))?.[0].length ?? 0;
    const texts = readAlternatives(source, done);
    source.at++;
    return texts;
  }
  if (character === "[") return readClass(source);
  if (character === ".") return [OPEN];
  if (character !== "\\") return /[A-Za-z0-9]/.test(character) ? [character] : [END];
  const escaped = pattern[source.at++]!;
  if (escaped === "p") {
    source.at = pattern.indexOf("}", source.at) + 1;
    return [OPEN];
  }
  return escaped === "w" || escaped === "S" || escaped === "D" ? [OPEN] : [END];
}

/** A class of a few letters is each of them, one of many leaves open which. */
function readClass(source: Source): string[] {
  const [body] = /^(?:\\.|[^\]\\])*/.exec(source.pattern.slice(source.at))!;
  source.at += body.length + 1;
  if (body.startsWith("^") || /\\[wp]|-[a-zA-Z]/.test(body)) return [OPEN];
  const letters = [...body.replaceAll(/\\.|\d-\d/g, "").replaceAll(/[^A-Za-z]/g, "")];
  return letters.length === body.length ? letters : [END, ...letters];
}

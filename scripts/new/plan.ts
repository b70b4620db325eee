import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** One name in the spellings that code has for it. */
export interface Names {
  /** `idle-talk`: files, folders, kinds. */
  readonly kebab: string;
  /** `idleTalk`: functions. */
  readonly camel: string;
  /** `IdleTalk`: types. */
  readonly pascal: string;
  /** `Idle talk`: people. */
  readonly label: string;
}

/** What is to be written, before anything is. Paths are relative to the repository. */
export interface Plan {
  /** New files, with their contents. */
  readonly files: Readonly<Record<string, string>>;
  /** Files that get a line or two. */
  readonly edits: readonly Edit[];
  /** What is left to do, one line each. */
  readonly next: readonly string[];
}

interface Edit {
  readonly path: string;
  /** The file with the change. Throws if the place for it is not there. */
  apply(text: string): string;
}

const KEBAB = /^[a-z][a-z0-9]*(?:-[a-z][a-z0-9]*)*$/;
const MAX_LENGTH = 40;
/** Names of a single word that no function can have, or that read as words of the language. */
const RESERVED = new Set(
  (
    "arguments as async await break case catch class const continue debugger default delete do else enum eval export extends false finally " +
    "for from function get if implements import in instanceof interface let new null of package private protected public return set " +
    "static super switch this throw true try type typeof undefined var void while with yield"
  ).split(" "),
);
const NAMED = /\b\w*[sS]ampleName\w*/g;
const NOT_CODE = /\/\*[\s\S]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"|`[^`]*`/g;
const IDENTIFIER = /[A-Za-z_$][\w$]*/g;

/** Reads a name in kebab case. Throws for any other. */
export function namesOf(kebab: string): Names {
  if (RESERVED.has(kebab)) throw new Error(`new: ${kebab} is reserved, and no function can have that name`);
  if (!KEBAB.test(kebab) || kebab.length > MAX_LENGTH) {
    throw new Error(
      `new: a name of lower-case words and hyphens is required, at most ${MAX_LENGTH} characters, got ${JSON.stringify(kebab.slice(0, 80))}`,
    );
  }
  const camel = kebab.replaceAll(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  const words = kebab.replaceAll("-", " ");
  return { kebab, camel, pascal: upperFirst(camel), label: upperFirst(words) };
}

function upperFirst(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/**
 * Reads a template and puts a name in. Templates are working code about something called `sample-name`; they end with `.txt`, so that no
 * tool takes them for code of the house. Throws if a name would be that of something else in there.
 */
export function fillTemplate(template: string, { kebab, camel, pascal, label }: Names): string {
  const text = readFileSync(join(import.meta.dirname, `${template}.txt`), "utf8");
  const fill = (words: string) =>
    words
      .replaceAll("sample-name", kebab)
      .replaceAll("sampleName", camel)
      .replaceAll("SampleName", pascal)
      .replaceAll("Sample name", label);
  if (template.endsWith(".ts")) requireFreeNames(text, (text.match(NAMED) ?? []).map(fill));
  return fill(text);
}

/** Throws if a name that is given to something new is one that the code around it uses already, for itself or from elsewhere. */
export function requireFreeNames(code: string, names: readonly string[]): void {
  const used = new Set(code.replaceAll(NOT_CODE, " ").match(IDENTIFIER) ?? []);
  const taken = names.find((name) => used.has(name));
  if (taken !== undefined)
    throw new Error(`new: ${taken} is reserved, since the code around it uses that name already`);
}

/** Puts a line before the first place where some words stand. */
export function insertBefore(text: string, words: string, line: string): string {
  return replaceFirst(text, words, line + words);
}

/** Puts a line behind the first place where some words stand. */
export function insertBehind(text: string, words: string, line: string): string {
  return replaceFirst(text, words, words + line);
}

function replaceFirst(text: string, words: string, by: string): string {
  if (!text.includes(words))
    throw new Error(`new: "${words.trim()}" is no longer in the list, so there is no place for the line`);
  return text.replace(words, () => by);
}

/**
 * Writes what is planned. Throws, and has written nothing, if a file is there already or a list has no place for a line.
 */
export function carryOutPlan(root: string, { files, edits }: Plan): { written: string[]; changed: string[] } {
  const taken = Object.keys(files).find((path) => existsSync(join(root, path)));
  if (taken !== undefined) throw new Error(`new: ${taken} already exists, and nothing is overwritten`);
  const changes = edits.map(({ path, apply }) => ({ path, text: apply(readFileSync(join(root, path), "utf8")) }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    // `wx` refuses to overwrite, also what came in between.
    writeFileSync(join(root, path), text, { flag: "wx" });
  }
  for (const { path, text } of changes) writeFileSync(join(root, path), text);
  return { written: Object.keys(files), changed: changes.map(({ path }) => path) };
}

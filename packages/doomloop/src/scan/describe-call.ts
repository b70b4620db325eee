import { commandOf, fieldValue as fieldOf, fieldsOf, isShell } from "../core/hints/calls.ts";
import { readArguments, toolHash, toolLabel } from "../core/identity/call-identity.ts";
import { TOKEN, TOKEN_AT_START } from "../privacy/mask-secrets.ts";
import { baseName, FILE_PROGRAMS, HOSTS, PREPARING, PROGRAMS, SUBCOMMANDS, unwrap } from "./known-programs.ts";
import { FILE_ENDINGS } from "./redact/letters.ts";
import { commandsIn } from "./shell-words.ts";

const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/**
 * Describes a call in a few words without revealing private data: the tool, and a file that anybody could guess. For a
 * command, the program and its subcommand instead of the shell: `npm test`. Text from the arguments appears only if it is on one of our lists, or if it consists of words
 * and ends like a file name.
 */
export function describeCall(tool: string, args: unknown): string {
  const name = shownTool(tool);
  const read = readArguments(args);
  const command = isShell(tool) ? commandOf(read, fieldsOf(read)) : undefined;
  const about = command === undefined ? fileOf(read) : knownCommand(command);
  if (about === undefined) return name;
  return command === undefined ? `${name} ${about}` : about;
}

const PATH_FIELDS = [
  "path",
  "file_path",
  "filePath",
  "filename",
  "file",
  "absolute_path",
  "notebook_path",
  "target_file",
  "relative_workspace_path",
];

const MAX_PATH = 1024;

function fileOf(args: unknown): string | undefined {
  const path = pathIn(args);
  return path === undefined ? undefined : plainFileName(path);
}

function pathIn(args: unknown): string | undefined {
  const fields = fieldsOf(args);
  for (const name of PATH_FIELDS) {
    const path = fieldOf(fields, name);
    if (typeof path === "string" && path !== "") return path.slice(-MAX_PATH);
  }
  return undefined;
}

// Longer input is cut before it is tokenized.
const MAX_COMMAND = 1024;
const MAX_COMMANDS = 20;
const MAX_WORDS = 40;

/** The first known program of a command line, with its subcommand or file if that is safe to show. */
function knownCommand(command: string): string | undefined {
  for (const words of commandsIn(command.slice(0, MAX_COMMAND)).slice(0, MAX_COMMANDS)) {
    const described = describeCommand(words.slice(0, MAX_WORDS));
    if (described !== undefined) return described;
  }
  return undefined;
}

function describeCommand(words: readonly string[]): string | undefined {
  const [first = "", ...rest] = unwrap(words);
  const program = baseName(first);
  if (program === "" || PREPARING.has(program)) return undefined;
  if (!PROGRAMS.has(program) && !HOSTS.has(program)) return plainFileName(program);
  const more = rest.filter((word) => !word.startsWith("-"));
  return [program, ...detailOf(program, more)].join(" ");
}

function detailOf(program: string, words: readonly string[]): readonly string[] {
  if (HOSTS.has(program)) return subcommandOf(words);
  if (!FILE_PROGRAMS.has(program)) return [];
  const file = words.map(plainFileName).find((name) => name !== undefined);
  return file === undefined ? [] : [file];
}

function subcommandOf([first = "", second = ""]: readonly string[]): readonly string[] {
  if (!SUBCOMMANDS.has(first)) return [];
  return first === "run" && SUBCOMMANDS.has(second) ? [first, second] : [first];
}

/** Allowed between a file's name and its extension: `reader.test.ts`. */
const MIDDLES = list("test spec d config stories module min e2e bench");
const BARE = list(`
  Makefile Dockerfile README LICENSE CHANGELOG CONTRIBUTING Gemfile Rakefile Procfile Jenkinsfile Vagrantfile Justfile`);
const MAX_NAME = 48;
const DIRECTORY = /^.*[\\/]/s;

/**
 * The base name of a path, if it consists of words and has a known file extension. If only the extension is known,
 * `*.ts`. Undefined for everything else, which may be a query, a customer's name or a password.
 */
function plainFileName(path: string): string | undefined {
  const name = path.replace(DIRECTORY, "");
  if (BARE.has(name)) return name;
  const [stem = "", ...endings] = name.split(".");
  const extension = endings.at(-1) ?? "";
  if (endings.length === 0 || endings.length > 2 || !FILE_ENDINGS.has(extension)) return undefined;
  const hasMiddle = endings.length === 2;
  if (hasMiddle && !MIDDLES.has(endings[0]!)) return `*.${extension}`;
  return name.length <= MAX_NAME && isOfWords(stem) ? name : `*.${extension}`;
}

/** A word with at most one number in it: `auth`, `v2`, `i18n`, `base64url`. */
const WORD = /^[A-Za-z]{0,20}\d{0,4}[A-Za-z]{0,20}$/;
const SEPARATOR = /[-_.:/]+/;
const MAX_WORD = 20;
const MAX_DIGITS = 8;
const MAX_NUMBERED_CAPITALS = 9;

/**
 * Whether a name consists of ordinary words: no random strings, no known tokens, no long numbers. Private text may
 * still look like words; this excludes what certainly is not.
 */
export function isOfWords(name: string): boolean {
  const digits = name.replaceAll(/\D/g, "").length;
  if (TOKEN.test(name) || TOKEN_AT_START.test(name) || digits > MAX_DIGITS) return false;
  const words = name.split(SEPARATOR).filter((word) => word !== "");
  return words.length > 0 && words.every((word) => word.length <= MAX_WORD && WORD.test(word) && !isJumbled(word));
}

/** The words of `parseURLsTwice`: capitals that belong together, and lower case with or without one. */
const CASED = /[A-Z]+s?(?![a-z])|[A-Z]?[a-z]+/g;

/** Mixed upper and lower case in pieces that are too short for words, or capitals with a number among them. */
function isJumbled(word: string): boolean {
  if (/^[A-Z]+\d+[A-Z]*$/.test(word)) return word.length > MAX_NUMBERED_CAPITALS;
  const isMixed = /[a-z][A-Z]|[A-Z]{2}[a-z]/.test(word);
  return isMixed && word.length / (word.match(CASED)?.length ?? 1) < 3;
}

/** A tool's name as the core hashed it. */
const TOOL_HASH = /^tool#[0-9a-f]{12}$/;

/** The tool's name in a report: unchanged if it consists of words, otherwise a short hash, the same for the core's hash. */
export function shownTool(tool: string): string {
  if (TOOL_HASH.test(tool)) return tool;
  const label = toolLabel(tool);
  return label !== tool || isOfWords(tool) ? label : toolHash(tool);
}

import { readArguments, toolHash, toolLabel } from "../core/identity/call-identity.ts";
import { textField } from "../core/progress/fields.ts";
import { shellCommand } from "../core/progress/read-call.ts";
import { baseName, HOSTS, isAssignment, PROGRAMS, Rank, SUBCOMMANDS, unwrap } from "../core/shell/programs.ts";
import { tokenize } from "../core/shell/tokenize.ts";
import { FILE_ENDINGS } from "./redact/letters.ts";

const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/**
 * Describes a call in a few words without revealing private data: the tool, and a file, program or subcommand that
 * anybody could guess. Text from the arguments appears only if it is on one of our lists, or if it consists of words
 * and ends like a file name.
 */
export function describeCall(tool: string, args: unknown): string {
  const name = shownTool(tool);
  const value = readArguments(args);
  const command = shellCommand(tool, value);
  const about = command === undefined ? fileOf(value) : knownCommand(command);
  return about === undefined ? name : `${name} ${about}`;
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
  if (typeof args !== "object" || args === null) return undefined;
  for (const field of PATH_FIELDS) {
    const path = textField(args as Readonly<Record<string, unknown>>, field);
    if (path) return plainFileName(path.slice(-MAX_PATH));
  }
  return undefined;
}

// Longer input is cut before it is tokenized.
const MAX_COMMAND = 1024;
const MAX_COMMANDS = 20;
const MAX_WORDS = 40;

/** The first known program of a command line, with its subcommand or file if that is safe to show. */
function knownCommand(command: string): string | undefined {
  for (const { words } of tokenize(command.slice(0, MAX_COMMAND)).commands.slice(0, MAX_COMMANDS)) {
    const described = describeCommand(words.slice(0, MAX_WORDS));
    if (described !== undefined) return described;
  }
  return undefined;
}

/** Common programs, in addition to those that the guard has rules for. */
const MORE_PROGRAMS = list(`
  node deno bun python python3 ruby perl php java javac gradle mvn sbt dotnet swift rustc gcc g++ clang cmake ctest tsc tsx eslint biome
  oxlint vitest jest mocha ava playwright cypress vite next webpack rollup esbuild turbo nx lerna pytest tox nox ruff flake8 mypy pyright
  pylint unittest rspec phpunit bash sh zsh psql mysql sqlite3 mongosh redis-cli ssh sshpass gpg openssl aws gcloud az terraform ansible
  vim nano code tmux screen ffmpeg convert pandoc latexmk just task bazel buck2`);

/** Programs for which the first plain file among the arguments is shown. */
const FILE_PROGRAMS = list(`
  cat head tail less more nl bat wc sed awk jq node deno bun python python3 ruby perl php bash sh zsh tsx tsc eslint biome vitest jest
  mocha pytest rspec phpunit ruff mypy pyright prettier gofmt rustc gcc g++ clang javac`);
const MORE_HOSTS = list("make just task deno dotnet bun gradle mvn turbo nx terraform swift");
/** Common names of project scripts. */
const SCRIPTS = list(`
  run test tests unit e2e integration build lint dev start serve preview check typecheck type-check types format fmt coverage watch
  compile deploy release clean docs ci verify validate migrate seed generate codegen storybook bench all`);

function describeCommand(words: readonly string[]): string | undefined {
  const start = words.findIndex((word) => !isAssignment(word));
  if (start === -1) return undefined;
  const at = unwrap(words, start, []);
  const program = baseName(words[at] ?? "");
  // Commands that only prepare the rest of the line do not describe it.
  if (PROGRAMS.get(program) === Rank.none || program === "export" || program === "source") return undefined;
  if (!PROGRAMS.has(program) && !HOSTS.has(program) && !MORE_PROGRAMS.has(program)) return plainFileName(program);
  const more = words.slice(at + 1).filter((word) => !word.startsWith("-"));
  return [program, ...detailOf(program, more)].join(" ");
}

function detailOf(program: string, words: readonly string[]): readonly string[] {
  if (HOSTS.has(program) || MORE_HOSTS.has(program)) return subcommandOf(program, words);
  if (!FILE_PROGRAMS.has(program)) return [];
  const file = words.map(plainFileName).find((name) => name !== undefined);
  return file === undefined ? [] : [file];
}

function subcommandOf(program: string, [first = "", second = ""]: readonly string[]): readonly string[] {
  if (!SCRIPTS.has(first) && !SUBCOMMANDS.has(first) && !SUBCOMMANDS.has(`${program}:${first}`)) return [];
  return first === "run" && SCRIPTS.has(second) ? [first, second] : [first];
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

/** How access tokens of well-known services begin. What follows may look like words. */
const TOKEN =
  /(?:^|[-_.:/])(?:[spr]k[-_](?:live|test|proj|ant)|gh[oprsu]_|github_pat_|gl(?:pat|rt|dt)-|xox[a-z]-|(?:AKIA|ASIA)[A-Z0-9]|AIza|eyJ|ya29)/;
const TOKEN_AT_START = /^(?:[sp]k-|AKIA|ASIA|SG\.|pypi-|hf_[A-Za-z]{20})/;
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

/** Mixed upper and lower case without word boundaries, or capitals with a number among them. */
function isJumbled(word: string): boolean {
  if (/^[A-Z]+\d+[A-Z]*$/.test(word)) return word.length > MAX_NUMBERED_CAPITALS;
  const turns = word.match(/[a-z][A-Z]/g)?.length ?? 0;
  return turns > 0 && word.length / (turns + 1) < 3;
}

/** The tool's name in a report: unchanged if it consists of words, otherwise a short hash. */
export function shownTool(tool: string): string {
  const label = toolLabel(tool);
  return label !== tool || isOfWords(tool) ? label : toolHash(tool);
}

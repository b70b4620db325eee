import { baseName } from "../core/shell/base-name.ts";
import { HOSTS, PROGRAMS, Rank, SUBCOMMANDS } from "../core/shell/programs.ts";
import { tokenize } from "../core/shell/tokenize.ts";
import { isAssignment, unwrap } from "../core/shell/unwrap.ts";
import { plainFileName } from "./plain-file-name.ts";

const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Programs that many have, besides those of which the guard knows what they do. */
const MORE_PROGRAMS = list(`
  node deno bun python python3 ruby perl php java javac gradle mvn sbt dotnet swift rustc gcc g++ clang cmake ctest tsc tsx eslint biome
  oxlint vitest jest mocha ava playwright cypress vite next webpack rollup esbuild turbo nx lerna pytest tox nox ruff flake8 mypy pyright
  pylint unittest rspec phpunit bash sh zsh psql mysql sqlite3 mongosh redis-cli ssh sshpass gpg openssl aws gcloud az terraform ansible
  vim nano code tmux screen ffmpeg convert pandoc latexmk just task bazel buck2`);
/** Programs of whose arguments the first plain file is told. */
const FILE_PROGRAMS = list(`
  cat head tail less more nl bat wc sed awk jq node deno bun python python3 ruby perl php bash sh zsh tsx tsc eslint biome vitest jest
  mocha pytest rspec phpunit ruff mypy pyright prettier gofmt rustc gcc g++ clang javac`);
const MORE_HOSTS = list("make just task deno dotnet bun gradle mvn turbo nx terraform swift");
/** Scripts of projects, as most call them. */
const SCRIPTS = list(`
  run test tests unit e2e integration build lint dev start serve preview check typecheck type-check types format fmt coverage watch
  compile deploy release clean docs ci verify validate migrate seed generate codegen storybook bench all`);
const MAX_COMMAND = 1024;
const MAX_COMMANDS = 20;
const MAX_WORDS = 40;

/** The first program of a command line that is known, with a command of its own or a file if that gives nothing away. */
export function knownCommand(command: string): string | undefined {
  for (const { words } of tokenize(command.slice(0, MAX_COMMAND)).commands.slice(0, MAX_COMMANDS)) {
    const told = toldOf(words.slice(0, MAX_WORDS));
    if (told !== undefined) return told;
  }
  return undefined;
}

function toldOf(words: readonly string[]): string | undefined {
  const start = words.findIndex((word) => !isAssignment(word));
  if (start === -1) return undefined;
  const at = unwrap(words, start, []);
  const program = baseName(words[at] ?? "");
  // What sets up the rest of a line is not what it is about.
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

import type { Effect } from "../step.ts";

/** What a shell command seems to be about, read without running it. */
export interface CommandHint {
  readonly effect: Effect;
  /** The command without what does not make it another one: a leading `cd x &&`, `2>&1`, a trailing `| tail -20`, spacing. */
  readonly substance: string;
  /** The one file that a plain read shows: `a.ts` for `head -5 a.ts`. */
  readonly file: string | undefined;
  /** Milliseconds that it asks to sleep. */
  readonly waitMs: number;
}

const list = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** POSIX, GNU and PowerShell programs that show what is there. */
const LOOKING = list(
  "ls ll tree cat head tail less more nl bat stat file find fd grep egrep rg ag wc sort uniq cut jq yq awk sed od xxd hexdump diff cmp echo printf true pwd which type env printenv date whoami id uname export cd set sleep dir Get-Content Get-ChildItem Select-String ps pgrep top free df du ss lsof netstat squeue nvidia-smi dig ping nslookup journalctl curl wget http pg_isready",
);
/** Programs that reach out of the workspace, or show what others change. */
const OUTSIDE = list(
  "curl wget http dig ping nslookup ssh adb kubectl helm docker podman gh glab aws gcloud az systemctl service journalctl psql mysql redis-cli pg_isready ps pgrep top free df du ss lsof netstat squeue terraform tmux nvidia-smi",
);
/** Words before a program that only say how it is run. */
const WRAPPING = list("sudo time nohup env command exec timeout npx pnpx bunx poetry uv pipenv");
/** git, gh, kubectl, docker, systemctl, npm, cargo: what only shows. */
const SHOWING = list(
  "status diff log logs show blame ls-files ls-remote describe get list ls view info search inspect ps images stats top history events plan validate checks is-active version help branch tag remote",
);
/** The programs that take such words. */
const WORDED = list(
  "git kubectl helm docker podman gh glab aws gcloud az systemctl terraform npm pnpm yarn pip pip3 cargo go brew apt apt-get",
);
/** Runners of checks, and what they are told to do: npm test, cargo check, npx playwright test, python manage.py test, make lint. */
const CHECKERS = list(
  "pytest jest vitest mocha rspec phpunit ctest tox nox tsc eslint ruff mypy hyperfine unittest playwright",
);
const CHECKS = list("test tests t lint check typecheck clippy bench verify e2e spec specs build compile");
const RUNNERS = list(
  "npm pnpm yarn bun deno go cargo make mvn gradle gradlew dotnet python python3 npx nx turbo flutter cypress mix bazel swift rake",
);
const WRITING = list(
  "rm mv cp mkdir touch chmod tee add commit checkout reset restore apply stash merge pull push switch rebase install i ci",
);
const REDIRECTION = /(?:^|[^0-9&>-])>>?\s{0,3}(?!&|\/dev\/)[^\s>&]/;
const POSTING = /(?:^| )(?:-X ?P|-X ?D|-d |--data|-F |--request P)/;
const SLEEP = /\bsleep (\d{1,6}(?:\.\d{1,3})?)([mh]?)/g;
const FILE_READ = /^(?:cat|head|tail|nl|less|bat|more)(?: -\S{1,20}(?: \d{1,9})?){0,3} ([^\s|<>-]\S{0,300})$/;
const RANGE_READ = /^sed -n ["']?\d{1,9}(?:,\d{0,9})?p["']? (\S{1,300})$/;
const LEADING_CD = /^cd [^&;|\n]{1,300}(?:&&|;)\s{0,3}/;
/** A pipe at the end that only shows less. */
const TRIMMING = /^\| ?(?:head|tail)(?: -?\w{1,20}){0,3}$/;
/** Longer commands are not read to their end. */
const MAX_READ = 4096;
const MAX_PARSED = 1024;

/** Reads a shell command. A text that it brings along is part of what it is, but no command. */
export function readCommand(command: string): CommandHint {
  const whole = command.length > MAX_READ ? command.slice(0, MAX_READ) : command;
  const document = whole.indexOf("<<");
  const plain = plainCommand(document < 0 ? whole : whole.slice(0, document));
  const rest = command.slice(whole.length);
  const substance = document < 0 ? plain + rest : plain + whole.slice(document) + rest;
  const parts = plain
    .slice(0, MAX_PARSED)
    .split(/&&|\|\||[|;\n]/)
    .map(wordsOf)
    .filter((words) => words.length > 0);
  const isWriting = document >= 0 || REDIRECTION.test(plain);
  const file = parts.length === 1 && !isWriting ? (FILE_READ.exec(plain) ?? RANGE_READ.exec(plain))?.[1] : undefined;
  return { effect: effectOf(plain, parts, isWriting), substance, file, waitMs: sleepsIn(plain) };
}

function effectOf(text: string, parts: readonly (readonly string[])[], redirects: boolean): Effect {
  if (parts.length === 0 || (parts.length === 1 && parts[0]![0] === "sleep")) return "wait";
  if (parts.some(isCheck)) return "test";
  const isOutside = parts.some(
    ([program, word]) =>
      OUTSIDE.has(program!) || program === "sleep" || (program === "git" && (word === "fetch" || word === "ls-remote")),
  );
  const isWriting = redirects || parts.some(writes);
  if (!isWriting && parts.every((part) => isLook(part, text))) return isOutside ? "watch" : "look";
  return isWriting && !isOutside ? "write" : "act";
}

function isCheck([program = "", ...words]: readonly string[]): boolean {
  if (CHECKERS.has(program)) return true;
  return (
    RUNNERS.has(program) &&
    words
      .slice(0, 5)
      .some(
        (word) =>
          CHECKS.has(word) || CHECKERS.has(word) || /^(?:\w+:)?(?:test|lint|check|e2e|build)(?::\w+)?$/.test(word),
      )
  );
}

function writes([program = "", ...words]: readonly string[]): boolean {
  if (program === "sed") return words.some((word) => word.startsWith("-i"));
  if (program === "find") return words.includes("-delete");
  return WRITING.has(program) || (WORDED.has(program) && words.slice(0, 2).some((word) => WRITING.has(word)));
}

function isLook([program = "", ...words]: readonly string[], text: string): boolean {
  if (program === "curl" || program === "http") return !POSTING.test(text);
  if (LOOKING.has(program)) return true;
  return (
    WORDED.has(program) &&
    words
      .filter((word) => !word.startsWith("-"))
      .slice(0, 3)
      .some((word) => SHOWING.has(word))
  );
}

/** The words of one part, from its program on. */
function wordsOf(part: string): readonly string[] {
  const words = part.trim().split(/\s+/).slice(0, 24);
  let at = 0;
  while (
    at < words.length &&
    (WRAPPING.has(words[at]!) || /^[A-Z_]{1,40}=|^-|^\d/.test(words[at]!) || (at > 0 && words[at] === "run"))
  )
    at++;
  const [program, ...rest] = words.slice(at);
  return program === undefined || program === "" ? [] : [program.slice(program.lastIndexOf("/") + 1), ...rest];
}

function plainCommand(command: string): string {
  let text = command.replace(/[ \t\r]+/g, " ").trim();
  for (let times = 0; times < 3 && text.startsWith("cd "); times++) text = text.replace(LEADING_CD, "");
  if (text.includes("2>")) text = text.replaceAll(" 2>&1", "").replaceAll(" 2>/dev/null", "");
  if (text.endsWith("|| true")) text = text.slice(0, -"|| true".length).trimEnd();
  for (let times = 0; times < 2; times++) {
    const bar = text.lastIndexOf("|");
    if (bar <= 0 || !TRIMMING.test(text.slice(bar))) break;
    text = text.slice(0, bar).trimEnd();
  }
  return text;
}

function sleepsIn(text: string): number {
  if (!text.includes("sleep ")) return 0;
  let sum = 0;
  for (const [, count, unit] of text.matchAll(SLEEP))
    sum += Number(count) * (unit === "m" ? 60_000 : unit === "h" ? 3_600_000 : 1000);
  return sum;
}

import { wordSet } from "../collections/word-list.ts";

/**
 * What a call does.
 *
 * `look`: at what only this run changes · `watch`: at what others may change · `act`: does something · `move`: on a page or a screen, where
 * it may miss · `write`: puts a text where it says · `say`: to somebody, or to itself · `test`: to see how it comes out · `wait`.
 */
export type Effect = "look" | "watch" | "act" | "move" | "write" | "say" | "test" | "wait";

/** What a shell command is about, read without running it. */
export interface CommandReading {
  readonly effect: Effect;
  /** The command without what does not make it another one: a leading `cd x &&`, `2>&1`, a trailing `| tail -20`, spacing. */
  readonly substance: string;
  /** The one file that a plain read shows: `a.ts` for `head -5 a.ts`. */
  readonly file: string | undefined;
  /** Milliseconds that it asks to sleep. */
  readonly waitMs: number;
  /** It writes a text that it brings. */
  readonly brings: boolean;
  /** It works on files as an agent's file tools would. */
  readonly isFileWork: boolean;
}

/** Longer commands are not read to their end. */
const MAX_READ = 4096;
const MAX_PARSED = 1024;

const LOOKING = wordSet(
  `ls ll tree cat head tail less more nl bat stat file find fd grep egrep rg ag wc sort uniq cut jq yq awk sed od xxd hexdump diff cmp echo printf true
   test pwd which type env printenv date whoami id uname export cd set sleep dir Get-Content Get-ChildItem Select-String`,
);
/** Programs that show something that others may change. */
const WATCHING = wordSet("ps pgrep top free df du ss lsof netstat squeue nvidia-smi dig ping nslookup journalctl");
/** Programs that reach out of the workspace. */
const OUTSIDE = wordSet(
  `curl wget http dig ping nslookup ssh adb kubectl helm docker podman gh glab aws gcloud az systemctl service journalctl psql mysql redis-cli ps pgrep
   top free df du ss lsof netstat squeue terraform tmux nvidia-smi`,
);
const FILE_WORK = wordSet("cat echo sed head tail tee touch cp mv rm mkdir printf nl awk");
/** The words before a program that only say how it is run. */
const WRAPPERS = { has: (word: string) => WRAPPING.has(word) || word.includes("=") };
const WRAPPING = wordSet("sudo time nohup env command exec timeout");
const WRAPPER = /^(?:sudo|time|nohup|env|command|exec|timeout \S{1,20}|[A-Z_]{1,40}=\S{0,200}) {1,4}/;
const LOOK_SUBCOMMAND = wordSet(
  `status diff log logs show blame ls-files ls-remote describe get list ls view info search inspect ps images stats top history events plan validate
   checks is-active version help branch tag remote`,
);
const LOOK_PAIR = /^(?:run (?:view|list)|pr (?:view|checks|list|status)|issue (?:view|list))\b/;
const SUBCOMMANDED = wordSet(
  "git kubectl helm docker podman gh glab aws gcloud az systemctl terraform npm pnpm yarn pip cargo go brew apt",
);
const GIT_OUTSIDE = /^git (?:fetch|ls-remote)\b/;
const POSTING = /(?:^| )(?:-X ?P|-X ?D|-d |--data|-F |--request P)/;
const TEST_RUN =
  /\b(?:pytest|jest|vitest|mocha|rspec|phpunit|ctest|tox|nox|go test|cargo (?:test|check|clippy|bench)|(?:npm|pnpm|yarn|bun)(?: run)? (?:test|t|lint|check|typecheck)|make (?:test|check)|mvn [^\n]{0,80}test|gradlew? [^\n]{0,80}test|dotnet test|unittest|tsc|eslint|ruff|mypy|hyperfine|wrk)(?![\w.]*\.(?:py|ts|js|json|toml|md)\b)/;
const SCRIPT = /^(?:npm|pnpm|yarn|bun) (?:run )?([\w:-]{1,40})/;
const CHECKING = /(?:^|[:-])(?:t|tests?|lint|check|e2e|specs?|verify)(?![a-z])/;
const REDIRECTION = /(?:^|[^0-9&>-])>>?\s{0,3}(?!&|\/dev\/)[^\s>&]/;
const WRITING =
  /(?:^|[\s;&|(])(?:rm|mv|cp|mkdir|touch|chmod|tee|sed -i|git (?:add|commit|checkout|reset|restore|apply|stash|merge|pull|push|switch|rebase)|(?:npm|pip3?|pnpm|yarn|apt|apt-get|brew|cargo|go) (?:install|i|add|get|ci))\b|[ ]-delete\b/;
const SLEEP = /\bsleep (\d{1,6}(?:\.\d{1,3})?)([mh]?)/g;
const MINUTE_MS = 60_000;
const FILE_READ = /^(?:cat|head|tail|nl|less|bat|more)(?: -\S{1,20}(?: \d{1,9})?){0,3} ([^\s|<>-]\S{0,300})$/;
const RANGE_READ = /^sed -n ["']?\d{1,9}(?:,\d{0,9})?p["']? (\S{1,300})$/;

/** Reads a shell command. A text that it brings along is part of what it is, but no command. */
export function readCommand(command: string): CommandReading {
  const text = substanceOf(command);
  const document = text.indexOf("<<");
  const head = text.slice(0, document < 0 ? MAX_PARSED : Math.min(document, MAX_PARSED));
  const parts = SEPARATOR.test(head)
    ? head
        .split(SEPARATORS)
        .map(unwrap)
        .filter((part) => part !== "")
    : [unwrap(head)];
  const programs = parts.map(programOf);
  const redirects = document >= 0 || (head.includes(">") && REDIRECTION.test(head));
  return {
    effect: effectOf(head, parts, programs, redirects || WRITING.test(head)),
    substance: text,
    file: parts.length === 1 ? fileIn(text, programs[0]!) : undefined,
    waitMs: sleepsIn(head),
    brings: redirects,
    isFileWork: programs.some((program) => FILE_WORK.has(program)),
  };
}

const SEPARATOR = /[|;&\n]/;
const SEPARATORS = /&&|\|\||[|;\n]/;

function fileIn(text: string, program: string): string | undefined {
  if (program === "sed") return RANGE_READ.exec(text)?.[1];
  return FILE_READ.exec(text)?.[1];
}

function effectOf(text: string, parts: readonly string[], programs: readonly string[], isWriting: boolean): Effect {
  if (text === "" || /^sleep \S{1,20}$/.test(text)) return "wait";
  if (TEST_RUN.test(text) || parts.some((part) => CHECKING.test(SCRIPT.exec(part)?.[1] ?? ""))) return "test";
  const isOutside = programs.some(
    (program, at) => OUTSIDE.has(program) || (program === "git" && GIT_OUTSIDE.test(parts[at]!)),
  );
  if (!isWriting && parts.every((part, at) => isLook(part, programs[at]!))) return isOutside ? "watch" : "look";
  return isWriting && !isOutside ? "write" : "act";
}

function isLook(part: string, program: string): boolean {
  if (LOOKING.has(program) || WATCHING.has(program)) return true;
  if (program === "curl" || program === "http") return !POSTING.test(part);
  if (!SUBCOMMANDED.has(program)) return false;
  const words = part
    .split(" ")
    .slice(1)
    .filter((word) => !word.startsWith("-"));
  return words.slice(0, 3).some((word) => LOOK_SUBCOMMAND.has(word)) || LOOK_PAIR.test(words.join(" "));
}

const UNEVEN = /[\t\r]| {2}/;
const LEADING_CD = /^cd [^&;|\n]{1,300}(?:&&|;)\s{0,3}/;
/** A pipe at the end that only shows less. */
const TRIMMING = /^\| ?(?:head|tail)(?: -?\w{1,20}){0,3}$/;

/** Leaves out what does not make it another command. A text that it brings along stays as it is. */
function substanceOf(command: string): string {
  const whole = command.length > MAX_READ ? command.slice(0, MAX_READ) : command;
  const document = whole.indexOf("<<");
  return document < 0 ? plainCommand(whole) : plainCommand(whole.slice(0, document)) + whole.slice(document);
}

function plainCommand(command: string): string {
  let text = UNEVEN.test(command) ? command.replace(/[ \t\r]+/g, " ") : command;
  text = text.trim();
  for (let times = 0; times < 3 && text.startsWith("cd "); times++) {
    const rest = LEADING_CD.exec(text);
    if (rest === null) break;
    text = text.slice(rest[0].length);
  }
  if (text.includes("2>")) text = text.replaceAll(" 2>&1", "").replaceAll(" 2>/dev/null", "");
  if (text.endsWith("|| true")) text = text.slice(0, -"|| true".length).trimEnd();
  for (let times = 0, bar = text.lastIndexOf("|"); times < 2 && bar > 0; times++, bar = text.lastIndexOf("|")) {
    if (!TRIMMING.test(text.slice(bar))) break;
    text = text.slice(0, bar).trimEnd();
  }
  return text.trim();
}

function unwrap(part: string): string {
  let text = part.trim();
  for (let times = 0; times < 3 && WRAPPERS.has(programOf(text)); times++) {
    const wrapper = WRAPPER.exec(text.slice(0, 300));
    if (wrapper === null) break;
    text = text.slice(wrapper[0].length);
  }
  return text;
}

function programOf(part: string): string {
  const end = part.indexOf(" ");
  const first = end < 0 ? part : part.slice(0, end);
  return first.slice(first.lastIndexOf("/") + 1);
}

function sleepsIn(text: string): number {
  if (!text.includes("sleep ")) return 0;
  let sum = 0;
  for (const [, count, unit] of text.matchAll(SLEEP))
    sum += Number(count) * (unit === "m" ? MINUTE_MS : unit === "h" ? 60 * MINUTE_MS : 1000);
  return sum;
}

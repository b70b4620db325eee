import { readArguments } from "../identity/call-identity.ts";
import type { Effect } from "../step.ts";
import { readCommand } from "./commands.ts";
import { isFinishingCommand, isWayOut } from "./way-out.ts";

/** What the names of a call seem to say. */
export interface CallHint {
  readonly effect: Effect;
  /** The file, the page or the command that it is about; undefined: not known. */
  readonly subject: string | undefined;
  /** How long it says that it waits. */
  readonly waitMs: number;
  readonly isWayOut: boolean;
  /** It finishes a shell command's work: what is compared instead of the command as it was typed. */
  readonly command: string | undefined;
}

export type Fields = Readonly<Record<string, unknown>>;

const list = (words: string): ReadonlySet<string> => new Set(words.split(/[\s,]+/));

/** Verbs in names of tools, and in an argument that names the action. The first that a name holds decides. */
const VERBS: readonly (readonly [Effect, ReadonlySet<string>])[] = [
  // Anthropic's computer use, browser-use, Cline, MCP's fetch and time servers
  ["wait", list("wait await sleep noop pause poll")],
  // OpenHands' and Claude Code's runners, laboratory and benchmark tools
  ["test", list("measure benchmark bench sample weigh test tests lint typecheck build compile")],
  // Claude Code's TodoWrite and Task, OpenAI Agents' handoffs, MCP's memory and thinking, Slack, mail, payments
  [
    "say",
    list(
      "ask clarify delegate spawn handoff think thinking thought reason reflect remember memorize send reply notify post comment publish message pay charge refund book order buy purchase transfer announce say speak todo todos plan note notes ticket invoice mail email memory task agent subagent assistant question completion",
    ),
  ],
  // Playwright's and Chrome's MCP servers, computer use, games and robots
  [
    "move",
    list(
      "scroll press next forward tab down up click fill type hover select goto navigate back drag focus tap swipe key",
    ),
  ],
  // Claude Code, Codex, Cline, MCP's filesystem, GitHub's and database servers
  [
    "write",
    list(
      "write edit create update upsert delete remove replace patch apply modify set rename upload commit push deploy install put make mkdir save store reset archive assign cancel add insert submit grade append",
    ),
  ],
  // The same, their reading side
  [
    "look",
    list(
      "current last latest recent get find list search read view open look lookup fetch query calculate calc inspect visit show check cat grep ls glob describe count browse diff tail head stat exists verify validate compare load download retrieve screenshot snapshot capture dump recall peek monitor status state health progress info result results logs log details page web inbox history",
    ),
  ],
];
const LOOK = VERBS.at(-1)![1];
const CHANGING = list(
  "update set change edit put patch post send write create add delete remove modify reset clear save",
);
/** What only the run itself changes: its files, its plan. */
const INSIDE = list(
  "glob grep file files folder directory dir symbol code repo git workspace think plan todo todos memory",
);
const SHELL = list("bash shell zsh sh ssh terminal console powershell cmd exec execute command commands");
const PATHS = list("path file_path filePath absolute_path target_file pattern glob regex file filename notebook_path");
const FILE_FIELDS = ["path", "file_path", "filePath", "absolute_path", "target_file", "filename"];
/** Anthropic's text editor, MCP's filesystem and GitHub servers, mail, TodoWrite */
const CONTENT = list(
  "content contents file_text new_string new_str newText new_source replacement patch diff body text message todos",
);
const ACTION_FIELDS = ["action", "operation", "method", "verb", "op", "fn"];
const COMMAND_FIELDS = ["command", "cmd", "script", "input"];
const READING_STATEMENT =
  /^\s{0,20}(?:select|show|desc|describe|explain|pragma|values|with(?![\s\S]{0,2000}\b(?:update|insert|delete)\b))\b/i;
const SEARCHES = /pattern|query|regex|search|glob/i;
const MAX_WAIT_MS = 86_400_000;

/** Arguments that do not change what is asked for: why, for how long, how often it was tried, ids made for one call. */
const INCIDENTAL =
  /^(?:description|explanation|reason(?:ing)?|rationale|justification|purpose|intent|time_?out\w{0,12}|requires_approval|security_risk|verbose|attempt\w{0,12}|try|retr\w{0,12}|seq(?:uence)?|timestamp|ts|now|_|nonce|etag|(?:request|trace|span|correlation|transaction|invocation|idempotency)_?(?:id|key))$/i;

export function isIncidental(name: string): boolean {
  return name.length <= 64 && INCIDENTAL.test(name);
}

/** Whether a tool runs shell commands, by its name. */
export function isShell(tool: string): boolean {
  return wordsOf(tool).some((word) => SHELL.has(word));
}

/** What the names of a call seem to say, of arguments as they came. */
export function hintOf(tool: string, args: unknown): CallHint {
  const read = readArguments(args);
  return readCall(tool, fieldsOf(read), read);
}

/** The fields of arguments that have names. */
export function fieldsOf(args: unknown): Fields {
  return typeof args === "object" && args !== null && !Array.isArray(args) ? (args as Fields) : {};
}

/** Reads what a call seems to do from its names, and from the command of a shell. */
export function readCall(tool: string, fields: Fields, args: unknown): CallHint {
  const words = wordsOf(tool);
  const command = isShell(tool) ? commandOf(args, fields) : undefined;
  if (command !== undefined) {
    const { effect, substance, file, waitMs } = readCommand(command);
    return { effect, subject: file ?? substance, waitMs, isWayOut: isFinishingCommand(command), command: substance };
  }
  const names = Object.keys(fields).slice(0, 64);
  const isInside = words.some((word) => INSIDE.has(word)) || names.some((name) => PATHS.has(name));
  const effect = effectOf(words, fields, isInside, names);
  const path = FILE_FIELDS.map((name) => textOf(fields, name)).find((text) => text !== undefined);
  const isSearch = names.some((name) => SEARCHES.test(name));
  return {
    effect,
    subject: effect === "look" && !isSearch ? path : undefined,
    waitMs: effect === "wait" ? waitOf(fields) : 0,
    isWayOut: isWayOut(words, fields),
    command: undefined,
  };
}

function effectOf(words: readonly string[], fields: Fields, isInside: boolean, names: readonly string[]): Effect {
  const given = textOf(fields, "command");
  // Anthropic's text editor; Codex's write_stdin and OpenHands' terminal
  if (given === "view") return "look";
  if (given?.trim() === "" || textOf(fields, "chars")?.trim() === "" || textOf(fields, "input")?.trim() === "")
    return "wait";
  const statement = textOf(fields, "sql") ?? textOf(fields, "query") ?? textOf(fields, "statement");
  if (statement?.includes(" ") && READING_STATEMENT.test(statement.slice(0, 2_000))) return "watch";
  const effect = verbOf(words, fields);
  if (effect === undefined)
    return !words.some((word) => SHELL.has(word)) && names.some((name) => isRecord(fieldValue(fields, name)))
      ? "write"
      : "act";
  if (effect === "look")
    return names.some((name) => CONTENT.has(name)) && isInside ? "write" : isInside ? "look" : "watch";
  return effect;
}

/** A record is what a call leaves behind. */
function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What the words say: those of an argument that names the action before those of the name. The last word decides if it asks for a state. */
function verbOf(words: readonly string[], fields: Fields): Effect | undefined {
  const action = ACTION_FIELDS.map((name) => textOf(fields, name)).find(
    (text) => text !== undefined && /^\w{2,32}$/.test(text),
  );
  const asked = action === undefined ? words : [...wordsOf(action), ...words];
  const first = firstOf(asked);
  if (asked.length > 1 && LOOK.has(asked.at(-1)!) && !CHANGING.has(asked[0]!)) return "look";
  return first;
}

function firstOf(words: readonly string[]): Effect | undefined {
  for (const word of words) {
    const found = VERBS.find(([, verbs]) => verbs.has(word) || (word.startsWith("todo") && verbs.has("todo")));
    if (found !== undefined) return found[0];
  }
  return undefined;
}

/** The command line of a shell call. A list of words is `["bash", "-lc", "ls"]`, or else all its words. */
export function commandOf(args: unknown, fields: Fields): string | undefined {
  if (typeof args === "string") return args;
  for (const name of COMMAND_FIELDS) {
    const value = fieldValue(fields, name);
    if (typeof value === "string") return value;
    if (Array.isArray(value) && isWords(value))
      return value.length === 3 && /^-\w{0,3}c$/.test(value[1]!) ? value[2]! : value.join(" ");
  }
  return undefined;
}

/** Whether a list consists of words. Looks at no item that has code of its own. */
function isWords(list: readonly unknown[]): list is readonly string[] {
  const words = Object.values(Object.getOwnPropertyDescriptors(list));
  return list.length > 0 && words.length === list.length + 1 && words.slice(0, -1).every(({ value }) => typeof value === "string");
}

const WAIT_FIELDS: readonly (readonly [names: readonly string[], unitMs: number])[] = [
  [["ms", "milliseconds", "timeoutMs", "timeout_ms"], 1],
  [["seconds", "secs", "duration", "time", "timeout"], 1000],
  [["minutes"], 60_000],
];

function waitOf(fields: Fields): number {
  for (const [names, unitMs] of WAIT_FIELDS) {
    for (const name of names) {
      const value = fieldValue(fields, name);
      if (typeof value === "number" && value > 0) return Math.min(value * unitMs, MAX_WAIT_MS);
    }
  }
  return 1;
}

const MAX_NAME = 128;
/** A host has few tools, so each name is read once. */
const knownWords = new Map<string, readonly string[]>();

/** The words of the last part of a name in lower case: `mcp__postgres__insertRow` inserts a row. */
export function wordsOf(tool: string): readonly string[] {
  const name = tool.slice(-MAX_NAME);
  let words = knownWords.get(name);
  if (words === undefined) {
    const last = name.split(/__|[./:]/).at(-1)!;
    words = last
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .split(/[^a-z]+/)
      .filter((word) => word !== "");
    if (knownWords.size > 256) knownWords.clear();
    knownWords.set(name, words);
  }
  return words;
}

/** A field's value, read without running a getter. */
export function fieldValue(fields: Fields, name: string): unknown {
  return Object.getOwnPropertyDescriptor(fields, name)?.value;
}

function textOf(fields: Fields, name: string): string | undefined {
  const value = fieldValue(fields, name);
  return typeof value === "string" ? value : undefined;
}

import { wordSet } from "../collections/word-list.ts";
import type { Effect } from "./read-command.ts";
import { readCommand } from "./read-command.ts";
import { isFinishingCommand, isWayOut } from "./way-out.ts";

/** What a call does, and what it is about. */
export interface CallReading {
  /** The tool that is called: for a dispatcher, the inner one. */
  readonly tool: string;
  readonly args: unknown;
  readonly effect: Effect;
  /** The command line, in substance, of a shell call. */
  readonly command: string | undefined;
  /** The one file or thing that it shows, where that is all it does. */
  readonly subject: string | undefined;
  /** The file that it is about, where an argument names it. */
  readonly path: string | undefined;
  /** It brings a text to write. */
  readonly brings: boolean;
  /** How long it says that it waits. */
  readonly waitMs: number;
  readonly isFileWork: boolean;
  /** It finishes, gives up, hands over or asks a person: the way out. */
  readonly isWayOut: boolean;
}

const VERBS: readonly (readonly [Effect, ReadonlySet<string>])[] = [
  ["wait", wordSet("wait await sleep noop pause poll")],
  ["test", wordSet("measure benchmark bench sample weigh test")],
  [
    "say",
    wordSet(
      `ask clarify delegate spawn handoff think thinking thought reason reflect remember memorize send reply notify post comment publish message tweet pay
       charge refund book order buy purchase transfer announce say speak todo todos plan note notes ticket invoice mail email memory task agent subagent
       assistant question completion`,
    ),
  ],
  [
    "move",
    wordSet(
      "scroll press next forward tab down up click fill type hover select goto navigate back drag focus tap swipe key",
    ),
  ],
  [
    "write",
    wordSet(
      `write edit create update upsert delete remove replace patch apply modify set rename upload commit push deploy install put make mkdir save store
       reset archive assign cancel`,
    ),
  ],
  [
    "look",
    wordSet(
      `current last latest recent get find list search read view open look lookup fetch query calculate calc inspect visit show check cat grep ls glob describe count browse diff tail
       head stat exists verify validate compare load download retrieve screenshot snapshot capture dump recall peek monitor status state health
       progress info result results logs log details page web inbox history`,
    ),
  ],
];
const LOOK = VERBS.at(-1)![1];
const CHANGING = wordSet(
  "update set change edit put patch post send write create add delete remove modify reset clear save",
);
const INSIDE = wordSet(
  "glob grep file files folder directory dir symbol code repo git workspace think plan todo todos memory",
);
const SHELL = wordSet("bash shell zsh sh ssh terminal console powershell cmd exec execute command commands");
/** Tools that run code which only the run itself sees. */
export const CODE = wordSet("python ipython interpreter jupyter notebook repl code javascript");
/** Arguments that name something in the workspace. */
const PATHS = wordSet("path file_path filePath absolute_path target_file pattern glob regex file filename");
/** Arguments that name one file. */
export const FILE_FIELDS: readonly string[] = ["path", "file_path", "filePath"];
const CONTENT = wordSet(
  "content contents file_text new_string new_str newText new_source replacement patch diff body text message todos",
);
const SEARCHES = /pattern|query|regex|search|glob/;
const ACTION_FIELDS = ["action", "operation", "method", "type", "op", "fn"];
const INNER_NAME = wordSet(
  "tool tool_name toolName tool_id function function_name op operation action method endpoint name",
);
export const COMMAND_FIELDS = ["command", "cmd", "script", "input"];
const READING_STATEMENT = /^\s{0,20}(?:select|show|desc|describe|explain|with|pragma|values)\b/i;
const CHANGING_STATEMENT = /^\s{0,20}(?:insert|update|delete|create|drop|alter|replace|truncate|merge|grant)\b/i;
const MAX_WAIT_MS = 86_400_000;

type Fields = Readonly<Record<string, unknown>>;

/** Reads a call from its tool's name and arguments. `changes` is the host's own word on whether it changes anything. */
export function readCall(outerTool: string, outerArgs: unknown, changes?: boolean): CallReading {
  const [tool, args] = lookThrough(outerTool, outerArgs);
  const words = wordsOf(tool);
  const fields = fieldsOf(args);
  const command = words.some((word) => SHELL.has(word)) ? commandOf(args, fields) : undefined;
  const read = command === undefined ? readTool(tool, args, words, fields) : readShell(tool, args, command);
  if (changes === undefined || read.effect === "wait" || (!changes && read.effect === "say")) return read;
  const isLook = read.effect === "look" || read.effect === "watch" || read.effect === "test";
  return changes === isLook ? { ...read, effect: changes ? "act" : "watch" } : read;
}

/** Whether a tool runs commands. Its calls have nothing in common but the shell. */
export function isShell(tool: string): boolean {
  return readCall(tool, { command: "true" }).command !== undefined;
}

function readShell(tool: string, args: unknown, command: string): CallReading {
  const { substance, file, ...read } = readCommand(command);
  return {
    tool,
    args,
    ...read,
    command: substance,
    subject: file ?? substance,
    path: undefined,
    isWayOut: isFinishingCommand(command),
  };
}

function readTool(tool: string, args: unknown, words: readonly string[], fields: Fields): CallReading {
  const names = Object.keys(fields).slice(0, 64);
  const brings = names.some((name) => CONTENT.has(name) && typeof fieldValue(fields, name) === "string");
  const isInside = words.some((word) => INSIDE.has(word)) || names.some((name) => PATHS.has(name));
  const effect = effectOf(words, fields, brings, isInside);
  const pathField = FILE_FIELDS.find((name) => textOf(fields, name) !== undefined);
  const path = pathField && textOf(fields, pathField);
  const isSearch = names.some((name) => SEARCHES.test(name));
  return {
    tool,
    args,
    effect,
    command: undefined,
    subject: effect === "look" && !isSearch ? path : undefined,
    path,
    brings,
    waitMs: effect === "wait" ? waitOf(fields) : 0,
    isFileWork: path !== undefined,
    isWayOut: isWayOut(words, fields),
  };
}

function effectOf(words: readonly string[], fields: Fields, brings: boolean, isInside: boolean): Effect {
  const given = textOf(fields, "command");
  if (given === "view") return "look";
  if (given?.trim() === "" || textOf(fields, "chars")?.trim() === "" || textOf(fields, "input")?.trim() === "")
    return "wait";
  const statement = textOf(fields, "sql") ?? textOf(fields, "query") ?? textOf(fields, "statement");
  if (statement !== undefined && READING_STATEMENT.test(statement.slice(0, 40))) return "watch";
  if (statement !== undefined && CHANGING_STATEMENT.test(statement.slice(0, 40))) return "act";
  const effect = verbOf(words, fields) ?? (brings ? "write" : "act");
  if (effect !== "look") return effect;
  return brings && isInside ? "write" : isInside ? "look" : "watch";
}

/** What the words say: those of an argument that names the action before those of the name. The last word decides if it asks for a state. */
function verbOf(words: readonly string[], fields: Fields): Effect | undefined {
  const verb = ACTION_FIELDS.map((name) => textOf(fields, name)).find(
    (text) => text !== undefined && /^\w{2,32}$/.test(text),
  );
  const asked = verb === undefined ? words : [...wordsOf(verb), ...words];
  if (asked.length > 1 && LOOK.has(asked.at(-1)!) && !CHANGING.has(asked[0]!)) return "look";
  for (const word of asked) {
    const found = VERBS.find(([, list]) => list.has(word) || (word.startsWith("todo") && list.has("todo")));
    if (found !== undefined) return found[0];
  }
  return asked.some((word) => word === "browser" || word === "surfer") ? "move" : undefined;
}

/** A dispatcher carries another call: `execute { server, tool, params }`. Its inner name is the tool. */
function lookThrough(tool: string, args: unknown): readonly [string, unknown] {
  const fields = fieldsOf(args);
  let name: string | undefined;
  let inner: unknown;
  for (const key of Object.keys(fields).slice(0, 16)) {
    const value = fieldValue(fields, key);
    if (typeof value === "string" && INNER_NAME.has(key) && /^[\w./:-]{1,64}$/.test(value)) name ??= value;
    else if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      if (inner !== undefined) return [tool, args];
      inner = value;
    }
  }
  return name === undefined || inner === undefined ? [tool, args] : [`${tool}.${name}`, inner];
}

/** The command line of a shell call. A list of words is `["bash", "-lc", "ls"]`, or else all its words. */
export function commandOf(args: unknown, fields: Fields = fieldsOf(args)): string | undefined {
  if (typeof args === "string") return args;
  for (const name of COMMAND_FIELDS) {
    const value = fieldValue(fields, name);
    if (typeof value === "string") return value;
    if (Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string"))
      return value.length === 3 && /^-\w{0,3}c$/.test(value[1] as string) ? (value[2] as string) : value.join(" ");
  }
  return undefined;
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

/** The words of the last part of a name in lower case: `mcp__postgres__insertRow` inserts a row. */
export function wordsOf(tool: string): readonly string[] {
  const name = tool.slice(-MAX_NAME);
  let known = knownWords.get(name);
  if (known === undefined) {
    const last = name.split(/__|[./:]/).at(-1)!;
    known = last
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .split(/[^a-z]+/)
      .filter((word) => word !== "");
    if (knownWords.size > 256) knownWords.clear();
    knownWords.set(name, known);
  }
  return known;
}
/** A host has few tools, so each name is read once. */
const knownWords = new Map<string, readonly string[]>();

/** The arguments as an object; empty if they are none. */
export function fieldsOf(args: unknown): Fields {
  return typeof args === "object" && args !== null && !Array.isArray(args) ? (args as Fields) : {};
}

/** A field's value, read without running a getter. */
export function fieldValue(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? Object.getOwnPropertyDescriptor(fields, name)!.value : undefined;
}

function textOf(fields: Fields, name: string): string | undefined {
  const value = fieldValue(fields, name);
  return typeof value === "string" ? value : undefined;
}

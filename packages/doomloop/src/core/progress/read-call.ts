import { createRecencyTable } from "../memory/recency-table.ts";
import { type CommandReading, readCommand } from "../shell/read-command.ts";
import { type ToolTrait, toolTraits } from "./tool-words.ts";

/**
 * What a call does to the world, as far as its name and arguments tell.
 *
 * `look` changes nothing · `change` does · `unknown` is a program that may · `page` acts on a page whose answer shows
 * what came of it · `delegate` has another agent do something · `wait` asks for time.
 */
export type EffectKind = "look" | "change" | "unknown" | "page" | "delegate" | "wait";

/** What is known of a call before it runs; holds none of its text. */
export interface Effect {
  readonly kind: EffectKind;
  /** Several commands in one: may have changed something although it failed. */
  readonly isCompound: boolean;
  /** A run of tests. */
  readonly isTest: boolean;
  /** A command line, whose failures tell something of the shell. */
  readonly isShell: boolean;
  /** File work done by shell. */
  readonly isFileOperation: boolean;
  /** Shows a file that it names, and does nothing else. */
  readonly isFileRead: boolean;
  /** Moves along: asked again, it shows what comes next. */
  readonly isMoving: boolean;
  /** Time that the call itself asks for. */
  readonly waitMs: number;
}

/** A call read closely: its effect, and what it is about. */
export interface CallReading {
  readonly effect: Effect;
  /** The file that it shows, if that is all it does. */
  readonly file: string | undefined;
  /** The command in substance, for shells. */
  readonly substance: string | undefined;
}

const PLAIN: Omit<Effect, "kind"> = {
  isCompound: false,
  isTest: false,
  isShell: false,
  isFileOperation: false,
  isFileRead: false,
  isMoving: false,
  waitMs: 0,
};
const NOTHING: Readonly<Record<string, unknown>> = {};

/**
 * Reads a call from its tool's name and arguments. `isReadOnly` is the host's own word (MCP's hint) and wins.
 */
export function readCall(tool: string, args: unknown, isReadOnly: boolean | undefined): CallReading {
  const command = shellCommand(tool, args);
  const fields = fieldsOf(args);
  const reading =
    command === undefined ? readTool(traitsWith(tool, fields), fields) : fromCommand(readCommand(command));
  if (isReadOnly === undefined || reading.effect.kind === "wait") return reading;
  return { ...reading, effect: { ...reading.effect, kind: isReadOnly ? "look" : "change" } };
}

/** The command line of a call that is one. */
export function shellCommand(tool: string, args: unknown): string | undefined {
  if (!traitsOf(tool).includes("shell")) return undefined;
  const fields = fieldsOf(args);
  for (const name of ["command", "cmd", "script", "input"]) {
    const command = textField(fields, name) ?? scriptOf(fields, name);
    if (command !== undefined) return command;
  }
  return typeof args === "string" ? args : undefined;
}

const SHELL_FLAG = /^-\w{0,3}c$/;

/** A command as a list, as Codex writes it: `["bash", "-lc", "ls"]` is its script, any other its words. */
function scriptOf(fields: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const words: unknown = Object.getOwnPropertyDescriptor(fields, name)?.value;
  if (!Array.isArray(words) || words.length === 0 || !words.every((word) => typeof word === "string")) return undefined;
  return words.length === 3 && SHELL_FLAG.test(words[1]!) ? words[2] : words.join(" ");
}

const MAX_VERB = 32;
const MAX_TOOLS = 256;
/** Traits depend on the name alone; a host's tools are few. */
const traitsByTool = createRecencyTable<readonly ToolTrait[]>(MAX_TOOLS);

function traitsOf(tool: string): readonly ToolTrait[] {
  const known = traitsByTool.get(tool);
  if (known !== undefined) return known;
  const traits = toolTraits(tool);
  traitsByTool.set(tool.length <= 128 ? tool : tool.slice(0, 128), traits);
  return traits;
}

/** Tools that do several things are told which by an argument; that says more than the tool's name. */
function traitsWith(tool: string, fields: Readonly<Record<string, unknown>>): readonly ToolTrait[] {
  for (const name of ["action", "operation", "method", "type", "op", "fn"]) {
    const verb = textField(fields, name);
    if (verb === undefined || verb.length > MAX_VERB) continue;
    const own = traitsOf(verb).filter((trait) => trait !== "shell");
    if (own.length > 0) return own;
  }
  return traitsOf(tool);
}

/** The fields of an arguments object, read without running a getter. */
export function textField(fields: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const property = Object.getOwnPropertyDescriptor(fields, name);
  return property !== undefined && typeof property.value === "string" ? property.value : undefined;
}

function fromCommand(command: CommandReading): CallReading {
  const { effect: kind, isCompound, isTest, isFileOperation, waitMs, file, substance } = command;
  const isFileRead = file !== undefined && kind === "look";
  return {
    effect: { kind, isCompound, isTest, isShell: true, isFileOperation, isFileRead, isMoving: false, waitMs },
    file,
    substance,
  };
}

function readTool(traits: readonly ToolTrait[], fields: Readonly<Record<string, unknown>>): CallReading {
  const first = traits.find((trait) => trait !== "shell");
  const isMoving = traits.includes("move");
  switch (first) {
    case "wait":
      return plain({ ...PLAIN, kind: "wait", waitMs: declaredWaitMs(fields) });
    case "code":
      return plain({ ...PLAIN, kind: codeKind(fields), isCompound: true });
    case "database":
      return plain({ ...PLAIN, kind: databaseKind(fields) });
    case "move":
    case "page":
      return plain({ ...PLAIN, kind: "page", isMoving });
    case "delegate":
      return plain({ ...PLAIN, kind: "delegate" });
    case "think":
      return plain({ ...PLAIN, kind: "look" });
    case "look":
      if (bringsContent(fields) || databaseKind(fields) === "change") return plain({ ...PLAIN, kind: "change" });
      return look(isMoving, filePath(fields));
    case "change":
      return editorView(fields) ?? plain({ ...PLAIN, kind: "change" });
    default:
      return editorView(fields) ?? plain({ ...PLAIN, kind: bringsContent(fields) ? "change" : "unknown" });
  }
}

function plain(effect: Effect): CallReading {
  return { effect, file: undefined, substance: undefined };
}

function look(isMoving: boolean, file: string | undefined): CallReading {
  const effect: Effect = { ...PLAIN, kind: "look", isFileRead: file !== undefined, isMoving };
  return { effect, file, substance: undefined };
}

/** Editors that take a sub-command: `{ command: "view", path }` looks, the others change. */
function editorView(fields: Readonly<Record<string, unknown>>): CallReading | undefined {
  return textField(fields, "command") === "view" ? look(false, filePath(fields)) : undefined;
}

/** Fields that carry what is to be written, in whatever tool. */
const CONTENT_FIELDS = [
  "content",
  "contents",
  "file_text",
  "new_string",
  "new_str",
  "newText",
  "new_source",
  "replacement",
  "patch",
  "diff",
  "body",
];

function bringsContent(fields: Readonly<Record<string, unknown>>): boolean {
  return CONTENT_FIELDS.some((name) => textField(fields, name) !== undefined);
}

/** What a call looks for besides the file that it names: without these, showing the file is all it does. */
const SEARCH_FIELDS = [
  "pattern",
  "query",
  "q",
  "regex",
  "search",
  "search_term",
  "searchTerm",
  "glob",
  "include",
  "text",
  "symbol",
  "name",
];

function filePath(fields: Readonly<Record<string, unknown>>): string | undefined {
  if (SEARCH_FIELDS.some((name) => Object.hasOwn(fields, name))) return undefined;
  return textField(fields, "path") ?? textField(fields, "file_path") ?? textField(fields, "filePath");
}

const WRITES_IN_CODE = [
  ".write(",
  ".save(",
  "to_csv(",
  "to_json(",
  "savefig(",
  "os.remove",
  "os.rename",
  "os.mkdir",
  "makedirs",
  "shutil.",
  "subprocess",
  "writeFile",
  "'w'",
  '"w"',
  "'a'",
  '"a"',
];
const MAX_CODE = 16_384;

function codeKind(fields: Readonly<Record<string, unknown>>): EffectKind {
  for (const name of ["code", "script", "source", "cell", "command"]) {
    const code = textField(fields, name)?.slice(0, MAX_CODE);
    if (code !== undefined && WRITES_IN_CODE.some((sign) => code.includes(sign))) return "change";
  }
  return "look";
}

function databaseKind(fields: Readonly<Record<string, unknown>>): EffectKind {
  for (const name of ["query", "sql", "statement", "command"]) {
    const statement = textField(fields, name)?.trimStart().slice(0, 10).toLowerCase();
    if (statement === undefined) continue;
    if (/^(?:insert|update|delete|create|drop|alter|replace|trunc|merge|grant)/.test(statement)) return "change";
    return /^(?:select|show|desc|explain|with|pragma|values)/.test(statement) ? "look" : "unknown";
  }
  return "look";
}

const WAIT_FIELDS: readonly (readonly [string, number])[] = [
  ["ms", 1],
  ["milliseconds", 1],
  ["timeoutMs", 1],
  ["timeout_ms", 1],
  ["seconds", 1000],
  ["secs", 1000],
  ["duration", 1000],
  ["time", 1000],
  ["timeout", 1000],
  ["minutes", 60_000],
];
const MAX_WAIT_MS = 86_400_000;

function declaredWaitMs(fields: Readonly<Record<string, unknown>>): number {
  for (const [name, unitMs] of WAIT_FIELDS) {
    const value: unknown = Object.getOwnPropertyDescriptor(fields, name)?.value;
    if (typeof value === "number" && value > 0) return Math.min(value * unitMs, MAX_WAIT_MS);
  }
  return 0;
}

function fieldsOf(args: unknown): Readonly<Record<string, unknown>> {
  return typeof args === "object" && args !== null ? (args as Readonly<Record<string, unknown>>) : NOTHING;
}

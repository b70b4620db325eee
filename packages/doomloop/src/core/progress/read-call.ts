import { type CommandReading, readCommand } from "../shell/read-command.ts";
import { fieldsOf, firstText, textField } from "./fields.ts";
import { shellCommand } from "./shell-command.ts";
import { type ToolTrait, traitsOf } from "./tool-words.ts";

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

type Fields = Readonly<Record<string, unknown>>;

const PLAIN: Omit<Effect, "kind"> = {
  isCompound: false,
  isTest: false,
  isFileOperation: false,
  isFileRead: false,
  isMoving: false,
  waitMs: 0,
};
const MAX_VERB = 32;

/** Reads a call from its tool's name and arguments. */
export function readCall(tool: string, args: unknown): CallReading {
  const command = shellCommand(tool, args);
  if (command !== undefined) return fromCommand(readCommand(command));
  const fields = fieldsOf(args);
  return readTool(traitsWith(tool, fields), fields);
}

/** Tools that do several things are told which by an argument; that says more than the tool's name. */
function traitsWith(tool: string, fields: Fields): readonly ToolTrait[] {
  for (const name of ["action", "operation", "method", "type", "op", "fn"]) {
    const verb = textField(fields, name);
    if (verb === undefined || verb.length > MAX_VERB) continue;
    const own = traitsOf(verb).filter((trait) => trait !== "shell");
    if (own.length > 0) return own;
  }
  return traitsOf(tool);
}

function fromCommand(command: CommandReading): CallReading {
  const { effect: kind, isCompound, isTest, isFileOperation, waitMs, file, substance } = command;
  const isFileRead = file !== undefined && kind === "look";
  return { effect: { ...PLAIN, kind, isCompound, isTest, isFileOperation, isFileRead, waitMs }, file, substance };
}

function readTool(traits: readonly ToolTrait[], fields: Fields): CallReading {
  const isMoving = traits.includes("move");
  switch (traits.find((trait) => trait !== "shell")) {
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
function editorView(fields: Fields): CallReading | undefined {
  return textField(fields, "command") === "view" ? look(false, filePath(fields)) : undefined;
}

/** Fields that carry what is to be written, in whatever tool. */
const CONTENT_FIELDS =
  "content contents file_text new_string new_str newText new_source replacement patch diff body".split(" ");

function bringsContent(fields: Fields): boolean {
  return firstText(fields, CONTENT_FIELDS) !== undefined;
}

/** What a call looks for besides the file that it names: without these, showing the file is all it does. */
const SEARCH_FIELDS = "pattern query q regex search search_term searchTerm glob include text symbol name".split(" ");
const PATH_FIELDS = ["path", "file_path", "filePath"];

function filePath(fields: Fields): string | undefined {
  return SEARCH_FIELDS.some((name) => Object.hasOwn(fields, name)) ? undefined : firstText(fields, PATH_FIELDS);
}

const WRITES_IN_CODE =
  ".write( .save( to_csv( to_json( savefig( os.remove os.rename os.mkdir makedirs shutil. subprocess writeFile 'w' \"w\" 'a' \"a\"".split(
    " ",
  );
const MAX_CODE = 16_384;

function codeKind(fields: Fields): EffectKind {
  const code = firstText(fields, ["code", "script", "source", "cell", "command"])?.slice(0, MAX_CODE);
  return code !== undefined && WRITES_IN_CODE.some((sign) => code.includes(sign)) ? "change" : "look";
}

function databaseKind(fields: Fields): EffectKind {
  const statement = firstText(fields, ["query", "sql", "statement", "command"])?.trimStart().slice(0, 10).toLowerCase();
  if (statement === undefined) return "look";
  if (/^(?:insert|update|delete|create|drop|alter|replace|trunc|merge|grant)/.test(statement)) return "change";
  return /^(?:select|show|desc|explain|with|pragma|values)/.test(statement) ? "look" : "unknown";
}

/** How long a field's unit is, by the end of its name. */
const WAIT_FIELDS: readonly (readonly [names: string, unitMs: number])[] = [
  ["ms milliseconds timeoutMs timeout_ms", 1],
  ["seconds secs duration time timeout", 1000],
  ["minutes", 60_000],
];
const MAX_WAIT_MS = 86_400_000;

function declaredWaitMs(fields: Fields): number {
  for (const [names, unitMs] of WAIT_FIELDS) {
    for (const name of names.split(" ")) {
      const value: unknown = Object.getOwnPropertyDescriptor(fields, name)?.value;
      if (typeof value === "number" && value > 0) return Math.min(value * unitMs, MAX_WAIT_MS);
    }
  }
  return 0;
}

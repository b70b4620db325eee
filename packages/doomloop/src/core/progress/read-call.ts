import type { Act, Reading } from "../reading.ts";
import { type CommandReading, readCommand } from "../shell/read-command.ts";
import {
  bringsContent,
  databaseAct,
  declaredWaitMs,
  type Fields,
  fieldsOf,
  filePath,
  namesInside,
  putsText,
  textField,
} from "./fields.ts";
import { readToolName, type ToolTrait } from "./tool-words.ts";

/** What a call does, and what it is about. */
interface CallReading {
  readonly reading: Reading;
  /** The file that it shows, if that is all it does. */
  readonly file: string | undefined;
  /** The command in substance, for shells. */
  readonly substance: string | undefined;
}

const UNMARKED: Omit<Reading, "act"> = {
  isOutside: false,
  isPage: false,
  isCode: false,
  isMoving: false,
  isStarting: false,
  isCompound: false,
  isFileOperation: false,
  isFileRead: false,
  bringsText: false,
  waitMs: 0,
};
const MAX_VERB = 32;

/** Reads a call from its tool's name and arguments. `changes` is the host's own word on whether it changes anything. */
export function readCall(tool: string, args: unknown, changes?: boolean): CallReading {
  const command = shellCommand(tool, args);
  const read = command === undefined ? readTool(tool, fieldsOf(args)) : readShell(command);
  const { act } = read.reading;
  // A wait stays a wait, whatever the host says.
  if (changes === undefined || act === "waits") return read;
  const isLook = act === "looks" || act === "watches" || act === "measures";
  if (changes !== isLook) return read;
  const told: Act = changes ? "writes" : read.reading.isOutside ? "watches" : "looks";
  return { ...read, reading: { ...read.reading, act: told } };
}

function readShell(command: string): CallReading {
  // An empty line asks a terminal for new output.
  if (command.trim() === "") return plain({ ...UNMARKED, act: "waits", isOutside: true });
  const read = readCommand(command);
  const { file, substance, isOutside, isStarting, isCompound, isFileOperation, waitMs } = read;
  const isFileRead = file !== undefined && read.effect === "look";
  const reading = {
    ...UNMARKED,
    act: actOfCommand(read),
    isOutside,
    isStarting,
    isCompound,
    isFileOperation,
    isFileRead,
    waitMs,
  };
  return { reading, file, substance };
}

const APPENDS = /\0>\d{0,3}&?>>/;

function actOfCommand({ effect, isOutside, isCompound, isMeasuring, substance }: CommandReading): Act {
  if (isMeasuring) return "measures";
  if (effect === "look") return isOutside ? "watches" : "looks";
  // A command that sleeps and then looks is a look.
  if (effect === "wait") return isCompound ? "watches" : "waits";
  // A change elsewhere cannot be seen here, and appending adds another line each time.
  if (effect === "change") return isOutside || APPENDS.test(substance) ? "steps" : "writes";
  return "runs";
}

function readTool(tool: string, fields: Fields): CallReading {
  const name = readToolName(tool);
  const traits = verbTraits(fields) ?? name.traits;
  const file = filePath(fields);
  const isOutside = !name.isInside && !namesInside(fields);
  const look = isOutside ? "watches" : "looks";
  const bringsText = bringsContent(fields);
  const base = { ...UNMARKED, isOutside, bringsText, isFileOperation: file !== undefined };
  const isMoving = traits.includes("moves");
  // An empty line asks a terminal for new output, whatever the tool is called.
  if (textField(fields, "command")?.trim() === "") return plain({ ...base, act: "waits" });
  // Some editors take a subcommand: `{ command: "view", path }` looks, the others change.
  if (textField(fields, "command") === "view") return lookAt(base, "looks", file, isMoving);
  const statement = databaseAct(fields);
  if (statement !== undefined) return plain({ ...base, act: statement, bringsText: false });
  const trait = traits.find((each) => each !== "shell");
  switch (trait) {
    case "waits":
      return plain({ ...base, act: "waits", waitMs: declaredWaitMs(fields) });
    case "code":
      return plain({
        ...base,
        act: "runs",
        isCompound: true,
        isCode: true,
        isOutside: false,
      });
    case "moves":
    case "page":
      return plain({
        ...base,
        act: "steps",
        isPage: true,
        isMoving,
        bringsText: bringsText || (trait === "page" && putsText(fields)),
      });
    case "looks":
      if (bringsText) return plain({ ...base, act: "writes" });
      return lookAt(base, look, file, isMoving);
    case "asks":
    case "says":
    case "measures":
    case "writes":
    case "steps":
      return plain({ ...base, act: trait });
    case "database":
      return plain({ ...base, act: "watches" });
    default:
      return plain({ ...base, act: bringsText ? "writes" : "steps" });
  }
}

/** An argument can say which of several things a tool does. That says more than the tool's name. */
function verbTraits(fields: Fields): readonly ToolTrait[] | undefined {
  for (const name of ["action", "operation", "method", "type", "op", "fn"]) {
    const verb = textField(fields, name);
    if (verb === undefined || verb.length > MAX_VERB || verb.includes(" ")) continue;
    const own = readToolName(verb).traits.filter((trait) => trait !== "shell");
    if (own.length > 0) return own;
  }
  return undefined;
}

function plain(reading: Reading): CallReading {
  return { reading, file: undefined, substance: undefined };
}

function lookAt(base: Omit<Reading, "act">, act: Act, file: string | undefined, isMoving: boolean): CallReading {
  return { reading: { ...base, act, isFileRead: file !== undefined, isMoving }, file, substance: undefined };
}

/** The command line of a shell call; undefined for other calls. */
export function shellCommand(tool: string, args: unknown): string | undefined {
  if (!readToolName(tool).traits.includes("shell")) return undefined;
  const fields = fieldsOf(args);
  for (const name of ["command", "cmd", "script", "input"]) {
    const command = textField(fields, name) ?? scriptOf(fields, name);
    if (command !== undefined) return command;
  }
  return typeof args === "string" ? args : undefined;
}

const SHELL_FLAG = /^-\w{0,3}c$/;

/** A command as a list of words: the script of `["bash", "-lc", "ls"]`, or else all words. */
function scriptOf(fields: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const words: unknown = Object.getOwnPropertyDescriptor(fields, name)?.value;
  if (!Array.isArray(words) || words.length === 0 || !words.every((word) => typeof word === "string")) return undefined;
  return words.length === 3 && SHELL_FLAG.test(words[1]!) ? words[2] : words.join(" ");
}

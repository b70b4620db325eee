import { UsageError } from "../../system/usage-error.ts";
import { commandInScript } from "../cline/cline-script.ts";
import { callInModule } from "../opencode/plugin-module.ts";
import type { OwnFile, SharedFile } from "./agent-settings.ts";
import { isOwnCommand } from "./hook-command.ts";
import type { Receipt } from "./receipts.ts";
import { hashOf, readSettings, type SettingsFile, textOfSettings } from "./settings-file.ts";
import { addHooks, hasHooks, removeHooks, twinIn } from "./shared-hooks.ts";
import { addStatusLine, ownStatusLine, removeStatusLine } from "./status-line.ts";

/** What is to become of one file. */
export interface Change {
  readonly file: SettingsFile;
  /** What stands there without us; undefined: no file. */
  readonly base: Buffer | undefined;
  /** What is to stand there; undefined: no file. */
  readonly after: Buffer | undefined;
  /** Lists that were made for our hooks. */
  readonly made: readonly string[];
}

export interface WiringOptions {
  /** Whether a status line is asked for. One that is there already stays. */
  readonly statusLine: boolean;
}

/** What wiring a file changes. Throws a `UsageError` for a file that cannot be edited without losing something. */
export function planWiring(
  wanted: SharedFile | OwnFile,
  receiptOf: (path: string) => Receipt | undefined,
  options: WiringOptions = { statusLine: false },
): Change {
  const file = readSettings(wanted.path, wanted.type === "own" && wanted.isProgram);
  if (wanted.type === "own") {
    const { base } = withoutUs(file, receiptOf(file.path));
    if (base !== undefined) throw new UsageError(`${wanted.path}: there is such a file already, and it is not ours`);
    return { file, base, after: Buffer.from(wanted.text), made: [] };
  }
  const { base } = withoutUs(file, receiptOf(file.path));
  const now = textOfSettings(file) ?? "";
  const line = options.statusLine || ownStatusLine(now) !== undefined ? wanted.statusLine : undefined;
  if (hasHooks(now, wanted.hooks) && ownStatusLine(now) === line) return { file, base, after: file.bytes, made: [] };
  const text = textOfSettings({ ...file, bytes: base });
  const added = text === undefined ? undefined : addHooks(text, wanted.hooks);
  if (added === undefined) {
    const twin = text === undefined ? undefined : twinIn(text);
    const reason = twin === undefined ? "not JSON as expected" : `the name ${JSON.stringify(twin)} stands there twice`;
    throw new UsageError(`${wanted.path}: ${reason}, so nothing is written to it`);
  }
  const after = line === undefined ? added.text : addStatusLine(added.text, line);
  if (after === undefined) throw new UsageError(`${wanted.path}: there is a status line, and it is not replaced`);
  return { file, base, after: Buffer.from(after), made: added.made };
}

/** What taking us out of a file changes. */
export function planRemoval(path: string, receipt: Receipt | undefined): Change {
  const file = readSettings(path);
  const { base } = withoutUs(file, receipt);
  return { file, base, after: base, made: [] };
}

export function isChanged({ file: { bytes }, after }: Change): boolean {
  return !(bytes === after || (bytes !== undefined && after?.equals(bytes) === true));
}

/** What a file would be without us: what was there before, if nobody has touched it since, or else the text without our hooks. */
function withoutUs(file: SettingsFile, receipt: Receipt | undefined): { readonly base: Buffer | undefined } {
  const { bytes, path } = file;
  if (bytes === undefined) return { base: undefined };
  if (receipt !== undefined && hashOf(bytes) === receipt.written) {
    return { base: receipt.before === undefined ? undefined : Buffer.from(receipt.before, "base64") };
  }
  const text = textOfSettings(file);
  if (text === undefined) throw new UsageError(`${path}: not UTF-8, so nothing is written to it`);
  if (isOwnFile(text)) return { base: undefined };
  const removed = removeHooks(removeStatusLine(text), receipt?.made);
  return { base: removed === undefined || removed === text ? bytes : Buffer.from(removed) };
}

/** Whether a whole file is ours, by its look: a program that starts the hook, a module that loads the plugin, or the hooks for Copilot CLI. */
function isOwnFile(text: string): boolean {
  if (commandInScript(text) !== undefined || callInModule(text) !== undefined) return true;
  const commands = [...text.matchAll(/"bash": ("[^\n]{1,2000}")/g)].map(([, command]) => parsed(command!));
  return commands.length > 0 && commands.every(isOwnCommand);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

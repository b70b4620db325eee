import { UsageError } from "../../system/usage-error.ts";
import { WIRABLE_AGENTS } from "../index.ts";
import type { OwnFile, SharedFile } from "./agent-settings.ts";
import { type Receipt, removeReceipt, writeReceipt } from "./receipts.ts";
import {
  hashOf,
  missingFolders,
  readSettings,
  removeSettings,
  type SettingsFile,
  textOfSettings,
  writeSettings,
} from "./settings-file.ts";
import {
  addHooks,
  addStatusLine,
  hasHooks,
  ownStatusLine,
  removeHooks,
  removeStatusLine,
  twinIn,
} from "./shared-hooks.ts";

/** How one file changes. */
export interface Change {
  readonly file: SettingsFile;
  /** The content without our hooks. Undefined: no file. */
  readonly base: Buffer | undefined;
  /** The new content. Undefined: no file. */
  readonly after: Buffer | undefined;
  /** Lists that were created for our hooks. */
  readonly made: readonly string[];
  /** What was asked for and is not done. */
  readonly note?: string;
}

interface WiringOptions {
  /** Whether a status line is asked for. One of ours that is there already stays. */
  readonly statusLine: boolean;
}

/** Plans how wiring changes a file. Throws a `UsageError` if editing the file would lose something. */
export function planWiring(
  wanted: SharedFile | OwnFile,
  receiptOf: (path: string) => Receipt | undefined,
  options: WiringOptions = { statusLine: false },
): Change {
  const file = readSettings(wanted.path, wanted.type === "own" && wanted.isProgram);
  if (wanted.type === "own") {
    const { base } = withoutUs(file, receiptOf(file.path));
    if (base !== undefined)
      throw new UsageError(`${wanted.path}: this file already exists, and doomloop did not write it`);
    return { file, base, after: Buffer.from(wanted.text), made: [] };
  }
  const { base } = withoutUs(file, receiptOf(file.path));
  const now = textOfSettings(file) ?? "";
  const line = options.statusLine || ownStatusLine(now) !== undefined ? wanted.statusLine : undefined;
  if (hasHooks(now, wanted) && ownStatusLine(now) === line) return { file, base, after: file.bytes, made: [] };
  const text = textOfSettings({ ...file, bytes: base });
  const added = text === undefined ? undefined : addHooks(text, wanted);
  if (added === undefined) {
    const twin = text === undefined ? undefined : twinIn(text, wanted.field);
    const reason = twin === undefined ? "not JSON as expected" : `the name ${JSON.stringify(twin)} appears twice`;
    throw new UsageError(`${wanted.path}: ${reason}, so nothing is written to it`);
  }
  const withLine = line === undefined ? added.text : addStatusLine(added.text, line);
  const note = withLine === undefined ? { note: "there is already another status line; it was not replaced" } : {};
  return { file, base, after: Buffer.from(withLine ?? added.text), made: added.made, ...note };
}

/** Plans how a file changes if our hooks are removed. */
export function planRemoval(path: string, receipt: Receipt | undefined): Change {
  const file = readSettings(path);
  const { base } = withoutUs(file, receipt);
  return { file, base, after: base, made: [] };
}

export function isChanged({ file: { bytes }, after }: Change): boolean {
  return !(bytes === after || (bytes !== undefined && after?.equals(bytes) === true));
}

/** The file without our hooks: as it was before, if nobody has touched it since, or else its text with our hooks removed. */
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

/** Whether the whole file is ours. Some agents read each hook from a separate file. */
function isOwnFile(text: string): boolean {
  return WIRABLE_AGENTS.some(({ settings }) => settings.isOwnFile?.(text) === true);
}

interface Wiring {
  /** Where receipts are kept. */
  readonly state: string;
  /** The name of the agent. */
  readonly host: string;
  readonly commands: readonly string[];
  /** The earlier receipt of the same file. */
  readonly receipt: Receipt | undefined;
}

/** Writes a planned change. The receipt is written first, so that the old content is safe whatever happens in between. */
export function carryOutWiring({ file, base, after, made }: Change, { state, host, commands, receipt }: Wiring): void {
  if (after === undefined) return;
  writeReceipt(state, {
    version: 1,
    host,
    path: file.path,
    ...(base !== undefined && { before: base.toString("base64") }),
    written: hashOf(after),
    commands,
    made,
    folders: [...new Set([...(receipt?.folders ?? []), ...missingFolders(file.path)])],
  });
  try {
    writeSettings(file, after);
  } catch (error) {
    if (receipt === undefined) removeReceipt(state, file.path);
    else writeReceipt(state, receipt);
    throw error;
  }
}

/** Carries out a planned removal, then removes the receipt. */
export function carryOutRemoval({ file, after }: Change, state: string): void {
  if (after === undefined) removeSettings(file);
  else writeSettings(file, after);
  removeReceipt(state, file.path);
}

import { UsageError } from "../../system/usage-error.ts";
import { WIRABLE_AGENTS } from "../index.ts";
import type { OwnFile, SharedFile } from "./agent-settings.ts";
import { readSettings, removeSettings, type SettingsFile, textOfSettings, writeSettings } from "./settings-file.ts";
import {
  addHooks,
  addStatusLine,
  hasHooks,
  ownStatusLine,
  removeHooks,
  removeStatusLine,
  whyNotAdded,
} from "./shared-hooks.ts";
import { forgetWired, noteWired, type WiredFile } from "./wired-files.ts";

/** How one file changes. */
export interface Change {
  readonly file: SettingsFile;
  /** The new content. Undefined: no file. */
  readonly after: Buffer | undefined;
  /** What was asked for and is not done. */
  readonly note?: string;
}

interface WiringOptions {
  /** Whether a status line is asked for. One of ours that is there already stays. */
  readonly statusLine: boolean;
}

/** Plans how wiring changes a file. Throws a `UsageError` if editing the file would lose something. */
export function planWiring(wanted: SharedFile | OwnFile, options: WiringOptions = { statusLine: false }): Change {
  const file = readSettings(wanted.path, wanted.type === "own" && wanted.isProgram);
  const now = requireText(file);
  if (wanted.type === "own") {
    if (file.bytes !== undefined && !isOwnFile(now))
      throw new UsageError(`${wanted.path}: this file already exists, and doomloop did not write it`);
    return { file, after: Buffer.from(wanted.text) };
  }
  const line = options.statusLine || ownStatusLine(now) !== undefined ? wanted.statusLine : undefined;
  if (hasHooks(now, wanted) && ownStatusLine(now) === line) return { file, after: file.bytes };
  const text = withoutUs(now);
  const added = addHooks(text, wanted);
  if (added === undefined) throw new UsageError(`${wanted.path}: ${whyNotAdded(text)}, so nothing is written to it`);
  const withLine = line === undefined ? added : addStatusLine(added, line);
  const note = withLine === undefined ? { note: "there is already another status line; it was not replaced" } : {};
  return { file, after: Buffer.from(withLine ?? added), ...note };
}

/** Plans how a file changes if our hooks are removed. Everything else in it stays as it is. */
export function planRemoval(path: string): Change {
  const file = readSettings(path);
  const text = requireText(file);
  return { file, after: file.bytes === undefined || isOwnFile(text) ? undefined : Buffer.from(withoutUs(text)) };
}

export function isChanged({ file: { bytes }, after }: Change): boolean {
  return !(bytes === after || (bytes !== undefined && after?.equals(bytes) === true));
}

function requireText(file: SettingsFile): string {
  const text = textOfSettings(file);
  if (text === undefined) throw new UsageError(`${file.path}: not UTF-8, so nothing is written to it`);
  return text;
}

function withoutUs(text: string): string {
  return removeHooks(removeStatusLine(text)) ?? text;
}

/** Whether the whole file is ours. Some agents read each hook from a separate file. */
function isOwnFile(text: string): boolean {
  return WIRABLE_AGENTS.some(({ settings }) => settings.isOwnFile?.(text) === true);
}

/** Writes a planned change, and notes where. */
export function carryOutWiring({ file, after }: Change, state: string, wired: Omit<WiredFile, "path">): void {
  if (after === undefined) return;
  writeSettings(file, after);
  noteWired(state, { ...wired, path: file.path });
}

/** Carries out a planned removal. */
export function carryOutRemoval({ file, after }: Change, state: string): void {
  if (after === undefined) removeSettings(file);
  else writeSettings(file, after);
  forgetWired(state, file.path);
}

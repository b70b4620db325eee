import type { HookHost } from "../hook/dialect.ts";
import type { Change } from "./plan-change.ts";
import { type Receipt, removeReceipt, writeReceipt } from "./receipts.ts";
import { hashOf, missingFolders, removeSettings, writeSettings } from "./settings-file.ts";

export interface Wiring {
  /** Where receipts are kept. */
  readonly state: string;
  readonly host: HookHost;
  readonly commands: readonly string[];
  /** Of the same file, from before. */
  readonly receipt: Receipt | undefined;
}

/** Writes what was planned. The receipt comes first: whatever happens in between, what was there is kept. */
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

/** Takes out what was planned, then forgets it. */
export function carryOutRemoval({ file, after }: Change, state: string): void {
  if (after === undefined) removeSettings(file);
  else writeSettings(file, after);
  removeReceipt(state, file.path);
}

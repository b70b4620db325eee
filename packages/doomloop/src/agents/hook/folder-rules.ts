import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolRules } from "../../index.ts";
import { listOf, recordOf } from "../../transcripts/foreign-value.ts";
import { replaceFile } from "./replace-file.ts";

const MAX_BYTES = 65_536;

/** What a person has allowed in one folder, with `doomloop allow`. */
export interface FolderRules {
  /** Hooks say nothing there. */
  readonly isOff: boolean;
  readonly tools: ToolRules;
  /** When the latest loop was last allowed. */
  readonly allowedAt: number | undefined;
}

/** The rules on the disk. */
export interface SavedRules {
  readonly version: 1;
  readonly isOff?: boolean;
  readonly tools?: readonly string[];
  readonly allowedAt?: number;
}

const MAX_TOOLS = 200;

/** Reads rules, and ignores everything else. */
export function readFolderRules(value: unknown): FolderRules {
  const { isOff, tools, allowedAt } = recordOf(value) ?? {};
  const names = listOf(tools).filter((name) => typeof name === "string");
  return {
    isOff: isOff === true,
    tools: Object.fromEntries(names.slice(0, MAX_TOOLS).map((name) => [name, { ignore: true }])),
    allowedAt: typeof allowedAt === "number" && Number.isFinite(allowedAt) ? allowedAt : undefined,
  };
}

/** What a person has allowed in a folder. Never throws. */
export function folderRules(state: string, folder: string | undefined): FolderRules {
  return readFolderRules(folder === undefined ? undefined : savedRules(state, folder));
}

/** The saved rules of a folder. Undefined if there are none that can be read. */
export function savedRules(state: string, folder: string): SavedRules | undefined {
  try {
    const file = openSync(rulesFile(state, folder), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      const { size } = fstatSync(file);
      return size > MAX_BYTES ? undefined : (JSON.parse(readFileSync(file, "utf8")) as SavedRules);
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** Writes rules. A hook that reads at the same time gets the old ones or the new ones. */
export function writeRules(state: string, folder: string, rules: SavedRules): void {
  mkdirSync(join(state, "allowed"), { recursive: true, mode: 0o700 });
  replaceFile(rulesFile(state, folder), JSON.stringify(rules));
}

/** The file of a folder's rules. */
export function rulesFile(state: string, folder: string): string {
  const name = createHash("sha256").update(`allowed ${folder}`).digest("hex").slice(0, 32);
  return join(state, "allowed", `${name}.json`);
}

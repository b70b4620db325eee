import type { ToolRules } from "../../index.ts";
import { listOf, recordOf } from "../../transcripts/foreign-value.ts";

/** What a person has allowed in one folder, with `doomloop allow`. */
export interface FolderRules {
  /** Hooks say nothing there. */
  readonly isOff: boolean;
  readonly tools: ToolRules;
  /** When it was last said that the latest loop is none. */
  readonly allowedAt: number | undefined;
}

/** The rules as they lie on the disk. */
export interface SavedRules {
  readonly version: 1;
  readonly isOff?: boolean;
  readonly tools?: readonly string[];
  readonly allowedAt?: number;
}

const MAX_TOOLS = 200;

/** Reads rules; whatever is none is left out. */
export function readFolderRules(value: unknown): FolderRules {
  const { isOff, tools, allowedAt } = recordOf(value) ?? {};
  const names = listOf(tools).filter((name) => typeof name === "string");
  return {
    isOff: isOff === true,
    tools: Object.fromEntries(names.slice(0, MAX_TOOLS).map((name) => [name, { ignore: true }])),
    allowedAt: typeof allowedAt === "number" && Number.isFinite(allowedAt) ? allowedAt : undefined,
  };
}

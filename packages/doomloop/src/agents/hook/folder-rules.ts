import { createHash } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ToolRule, ToolRules } from "../../index.ts";
import { homeFolder } from "../../system/home-folder.ts";
import { makePrivateFolder, readOwnFile, replaceFile } from "../../system/private-files.ts";
import { jsonIn, recordOf } from "../../transcripts/foreign-value.ts";

/** How a tool is treated in a project. `poll`: its calls wait for something · `patience`: they count three times as late · `ignore`: they do not count. */
export type ToolTreatment = "poll" | "patience" | "ignore";
/** Whether somebody watches. `off`: hooks say nothing. */
export type ProjectMode = "attended" | "unattended" | "off";

/** What a person has decided for one project. It is kept in the user's home, never in the repository. */
export interface FolderRules {
  readonly mode?: ProjectMode | undefined;
  readonly tools: Readonly<Record<string, ToolTreatment>>;
  /** When the latest loop was last allowed. */
  readonly allowedAt?: number | undefined;
}

const NO_RULES: FolderRules = { tools: {} };
const VERSION = 2;
const MAX_BYTES = 65_536;
export const MAX_TOOLS = 200;
/** Folders are searched upwards this far. */
const MAX_LEVELS = 64;
const TOP_NAMES = [".git", ".hg", ".jj", ".svn"];

const TREATMENTS: Readonly<Record<ToolTreatment, ToolRule>> = {
  poll: { poll: true },
  patience: { threshold: 9 },
  ignore: { ignore: true },
};

/** The rules as options of a guard. */
export function toolRulesOf({ tools }: FolderRules): ToolRules {
  return Object.fromEntries(Object.entries(tools).map(([name, treatment]) => [name, TREATMENTS[treatment]]));
}

/**
 * The top of the project that a folder belongs to: the nearest folder above with a repository, or the folder itself. A home folder is no
 * project, even if it is a repository, because everything would be in it.
 */
export function projectOf(folder: string): string {
  const home = homeFolder();
  for (const above of ancestorsOf(folder)) {
    if (above === home) break;
    if (TOP_NAMES.some((name) => existsSync(join(above, name)))) return above;
  }
  return folder;
}

/** What a person has decided for the nearest folder above that has rules. An agent may work anywhere in a project. Never throws. */
export function folderRules(state: string, folder: string | undefined): FolderRules {
  if (folder === undefined || !hasAny(state)) return NO_RULES;
  for (const above of ancestorsOf(folder)) {
    const rules = readRules(jsonIn(readOwnFile(rulesFile(state, above), MAX_BYTES)));
    if (rules !== undefined) return rules;
  }
  return NO_RULES;
}

function ancestorsOf(folder: string): readonly string[] {
  const found = [folder];
  for (let above = dirname(folder); above !== found.at(-1) && found.length < MAX_LEVELS; above = dirname(above))
    found.push(above);
  return found;
}

function hasAny(state: string): boolean {
  try {
    return readdirSync(join(state, "allowed")).length > 0;
  } catch {
    return false;
  }
}

/** Reads rules, and ignores everything else. */
function readRules(value: unknown): FolderRules | undefined {
  const { version, mode, tools, allowedAt } = recordOf(value) ?? {};
  if (version !== VERSION) return undefined;
  const named = Object.entries(recordOf(tools) ?? {}).filter(([, treatment]) =>
    Object.hasOwn(TREATMENTS, `${treatment}`),
  );
  return {
    mode: mode === "attended" || mode === "unattended" || mode === "off" ? mode : undefined,
    tools: Object.fromEntries(named.slice(0, MAX_TOOLS)) as FolderRules["tools"],
    allowedAt: typeof allowedAt === "number" && Number.isFinite(allowedAt) ? allowedAt : undefined,
  };
}

/** Writes the rules of a folder, or removes them if there are none. A process that reads at the same time gets the old ones or the new ones. */
export function writeRules(state: string, folder: string, { mode, tools, allowedAt }: FolderRules): void {
  const file = rulesFile(state, folder);
  const isEmpty = mode === undefined && allowedAt === undefined && Object.keys(tools).length === 0;
  if (isEmpty) {
    rmSync(file, { force: true });
    return;
  }
  makePrivateFolder(join(state, "allowed"));
  replaceFile(file, JSON.stringify({ version: VERSION, folder, mode, tools, allowedAt }));
}

/** The file of a folder's rules. */
function rulesFile(state: string, folder: string): string {
  const name = createHash("sha256").update(`allowed ${folder}`).digest("hex").slice(0, 32);
  return join(state, "allowed", `${name}.json`);
}

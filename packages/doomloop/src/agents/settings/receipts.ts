import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { readFault, UsageError } from "../../system/usage-error.ts";
import { listOf, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import type { WiredPlace } from "../coding-agent.ts";
import { HOOKED_AGENTS } from "../index.ts";

/** What was written to one file, and its content before, so that it can be restored byte for byte. */
export interface Receipt {
  readonly version: 1;
  /** The name of the agent. */
  readonly host: string;
  readonly path: string;
  /** The content before, in base64. Undefined if there was no file. It may contain secrets, so only the user can read the receipt. */
  readonly before?: string;
  /** The hash of the new content. */
  readonly written: string;
  /** The commands that were written. */
  readonly commands: readonly string[];
  /** Lists that were created for the hooks. */
  readonly made: readonly string[];
  /** Folders that were created for the file. */
  readonly folders: readonly string[];
  /** The agent's program, if it was on the path. */
  readonly program?: string | undefined;
}

/** All receipts that can be read. Hooks without a receipt are still recognised by their commands. */
export function readReceipts(state: string): readonly Receipt[] {
  return namesIn(folderOf(state)).flatMap((name) => readReceipt(join(folderOf(state), name)) ?? []);
}

/** Where an agent's hook was wired. */
export function wiredPlaces(state: string, host: string): readonly WiredPlace[] {
  const receipts = readReceipts(state).filter((receipt) => receipt.host === host);
  return receipts.map(({ path, program }) => ({ folder: dirname(path), program }));
}

/** Notes where the program of an agent is, for hooks that start it. If that cannot be saved, they look for it themselves. */
export function noteProgram(state: string, host: string, program: string): void {
  for (const receipt of readReceipts(state)) {
    if (receipt.host !== host || receipt.program === program) continue;
    try {
      writeReceipt(state, { ...receipt, program });
    } catch {
      return;
    }
  }
}

/** Saves a receipt and replaces an earlier one of the same file. Throws a `UsageError` if that fails. */
export function writeReceipt(state: string, receipt: Receipt): void {
  const file = fileOf(state, receipt.path);
  const beside = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    mkdirSync(folderOf(state), { recursive: true, mode: 0o700 });
    writeFileSync(beside, `${JSON.stringify(receipt)}\n`, { mode: 0o600, flag: "wx" });
    renameSync(beside, file);
  } catch (error) {
    throw new UsageError(`cannot save the previous settings in ${state}: ${readFault(error)}`, { cause: error });
  }
}

export function removeReceipt(state: string, path: string): void {
  rmSync(fileOf(state, path), { force: true });
}

function readReceipt(file: string): Receipt | undefined {
  try {
    const value = recordOf(JSON.parse(readFileSync(file, "utf8"))) ?? {};
    const host = HOOKED_AGENTS.find(({ name }) => name === value.host)?.name;
    const path = textOf(value.path);
    const program = textOf(value.program);
    // An empty text means an empty file, not a missing one.
    const before = typeof value.before === "string" ? value.before : undefined;
    if (value.version !== 1 || host === undefined || path === undefined) return undefined;
    return {
      version: 1,
      host,
      path,
      ...(before !== undefined && { before }),
      written: textOf(value.written) ?? "",
      commands: textsOf(value.commands),
      made: textsOf(value.made),
      folders: textsOf(value.folders),
      ...(program !== undefined && isAbsolute(program) && { program }),
    };
  } catch {
    return undefined;
  }
}

function textsOf(value: unknown): readonly string[] {
  return listOf(value).filter((one) => typeof one === "string");
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch {
    return [];
  }
}

function folderOf(state: string): string {
  return join(state, "wired");
}

function fileOf(state: string, path: string): string {
  return join(folderOf(state), `${createHash("sha256").update(path).digest("hex").slice(0, 32)}.json`);
}

import { UsageError } from "../system/usage-error.ts";
import type { TranscriptReader } from "../transcripts/reader.ts";
import { loadModule } from "./config.ts";
import { readers as builtIn } from "./readers.ts";

/**
 * Loads the user's own readers, and puts them before the built-in ones. Throws a `UsageError` for a module without a
 * reader.
 */
export async function loadReaders(modules: readonly string[]): Promise<readonly TranscriptReader[]> {
  const own = await Promise.all(modules.map(readersOf));
  return [...own.flat(), ...builtIn];
}

async function readersOf(path: string): Promise<readonly TranscriptReader[]> {
  const { reader, readers } = await loadModule(path);
  const found = [...(reader === undefined ? [] : [reader]), ...(Array.isArray(readers) ? readers : [])];
  if (found.length === 0) throw new UsageError(`${path}: an export named reader or readers is required`);
  for (const each of found) checkReader(path, each);
  return found as TranscriptReader[];
}

const REQUIRED = {
  agent: "a string",
  label: "a string",
  extensions: "a list",
  roots: "a function",
  isMine: "a function",
  open: "a function",
} as const satisfies Partial<Record<keyof TranscriptReader, string>>;

/** Throws a `UsageError` that names the missing field. */
function checkReader(path: string, value: unknown): void {
  for (const [key, kind] of Object.entries(REQUIRED)) {
    const field = (value as Record<string, unknown> | null)?.[key];
    const own = Array.isArray(field) ? "a list" : typeof field === "string" ? "a string" : `a ${typeof field}`;
    if (own !== kind) throw new UsageError(`${path}: ${key}: ${kind} is required in a reader`);
  }
}

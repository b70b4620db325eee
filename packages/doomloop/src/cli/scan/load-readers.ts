import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { TranscriptReader } from "../../transcripts/reader.ts";
import { readers as builtIn } from "../../transcripts/readers.ts";
import { readFault } from "../read-fault.ts";
import { UsageError } from "../usage-error.ts";

/** The readers of a user's own modules, then the built-in ones. Throws a `UsageError` for a module that holds none. */
export async function loadReaders(modules: readonly string[]): Promise<readonly TranscriptReader[]> {
  const own = await Promise.all(modules.map(readersOf));
  return [...own.flat(), ...builtIn];
}

async function readersOf(path: string): Promise<readonly TranscriptReader[]> {
  let exported: { reader?: unknown; readers?: unknown };
  try {
    exported = (await import(pathToFileURL(resolve(path)).href)) as typeof exported;
  } catch (error) {
    throw new UsageError(`cannot load ${path}: ${readFault(error)}`, { cause: error });
  }
  const found = [exported.reader, ...(Array.isArray(exported.readers) ? exported.readers : [])].filter(isReader);
  if (found.length === 0) throw new UsageError(`${path}: an export named reader or readers is required`);
  return found;
}

function isReader(value: unknown): value is TranscriptReader {
  if (typeof value !== "object" || value === null) return false;
  const { agent, extensions, isMine, open } = value as Partial<TranscriptReader>;
  return (
    typeof agent === "string" && Array.isArray(extensions) && typeof isMine === "function" && typeof open === "function"
  );
}

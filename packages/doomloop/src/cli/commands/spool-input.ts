import { createWriteStream, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { UsageError } from "../../system/usage-error.ts";
import { createInterruption } from "../terminal/interruption.ts";

const STANDARD_INPUT = "-";
const MAX_BYTES = 2_000_000_000;

export interface SpooledInput {
  readonly paths: readonly string[];
  /** Removes the file. The end of the process removes it as well. */
  remove(): void;
}

const END_SIGNALS = ["SIGTERM", "SIGHUP"] as const;
const ENDED_BY_SIGNAL = 143;

/**
 * Copies standard input, if a path is `-`, to a file that only this user can read. Detecting the format needs to read
 * the input twice. Undefined if the user interrupted it.
 */
export async function spoolInput(
  paths: readonly string[],
  input: AsyncIterable<Uint8Array> & { destroy?(): unknown },
): Promise<SpooledInput | undefined> {
  const wanted = paths.filter((path) => path === STANDARD_INPUT).length;
  if (wanted === 0) return { paths, remove() {} };
  if (wanted > 1) throw new UsageError("standard input (-) can be read only once");
  // A signal may come as soon as there is something to remove.
  const interruption = createInterruption();
  const folder = mkdtempSync(join(tmpdir(), "doomloop-input-"));
  const file = join(folder, "standard-input.jsonl");
  const remove = (): void => {
    for (const name of END_SIGNALS) process.off(name, end);
    process.off("exit", remove);
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", remove);
  try {
    // Waiting for input would ignore the signal, and an open input keeps the process alive.
    interruption.signal.addEventListener("abort", () => input.destroy?.());
    // It is opened now: later it could appear in a folder that is being removed.
    const copy = createWriteStream(file, { fd: openSync(file, "wx", 0o600) });
    await pipeline(bounded(input), copy, { signal: interruption.signal });
  } catch (error) {
    remove();
    input.destroy?.();
    if (interruption.signal.aborted) return undefined;
    throw error;
  } finally {
    interruption.end();
  }
  // The scan handles Ctrl-C. The other signals would end the process without removing the file.
  for (const name of END_SIGNALS) process.once(name, end);
  return { paths: paths.map((path) => (path === STANDARD_INPUT ? file : path)), remove };
}

function end(): never {
  process.exit(ENDED_BY_SIGNAL);
}

async function* bounded(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of input) {
    bytes += piece.length;
    if (bytes > MAX_BYTES) throw new UsageError("standard input: at most 2 GB can be read; name a file instead");
    yield piece;
  }
}

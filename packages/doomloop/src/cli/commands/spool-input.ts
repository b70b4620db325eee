import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { UsageError } from "../../system/usage-error.ts";
import { createInterruption } from "../terminal/interruption.ts";

const STANDARD_INPUT = "-";
const MAX_BYTES = 2_000_000_000;

export interface SpooledInput {
  readonly paths: readonly string[];
  /** Takes the file away again; so does the end of the process, whatever ends it. */
  remove(): void;
}

/**
 * Puts standard input, where a path is `-`, into a file that only this user can read: what kind of transcript it is can be told only by
 * looking at it twice. Undefined if somebody ended it before all had come.
 */
export async function spoolInput(
  paths: readonly string[],
  input: AsyncIterable<Uint8Array> & { destroy?(): unknown },
): Promise<SpooledInput | undefined> {
  const wanted = paths.filter((path) => path === STANDARD_INPUT).length;
  if (wanted === 0) return { paths, remove() {} };
  if (wanted > 1) throw new UsageError("standard input (-) can be read only once");
  const folder = mkdtempSync(join(tmpdir(), "doomloop-input-"));
  const file = join(folder, "standard-input.jsonl");
  const interruption = createInterruption();
  const remove = (): void => {
    for (const name of ENDS) process.off(name, end);
    process.off("exit", remove);
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", remove);
  try {
    // Whoever waits for the next piece hears of nothing else, and an input that is open keeps the process.
    interruption.signal.addEventListener("abort", () => input.destroy?.());
    await pipeline(bounded(input), createWriteStream(file, { mode: 0o600 }), { signal: interruption.signal });
  } catch (error) {
    remove();
    input.destroy?.();
    if (interruption.signal.aborted) return undefined;
    throw error;
  } finally {
    interruption.end();
  }
  // Ctrl-C is heard by the scan. These would end the process without its end, and leave the file.
  for (const name of ENDS) process.once(name, end);
  return { paths: paths.map((path) => (path === STANDARD_INPUT ? file : path)), remove };
}

const ENDS = ["SIGTERM", "SIGHUP"] as const;
const ENDED_BY_SIGNAL = 143;

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

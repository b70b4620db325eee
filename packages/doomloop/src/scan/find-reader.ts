import { readHead, readLineBeginnings } from "../transcripts/read-head.ts";
import type { TranscriptReader } from "../transcripts/reader.ts";
import { detectReader } from "./detect-reader.ts";
import { readers as builtIn } from "./readers.ts";

/**
 * The reader for a file, told from its name and its first 4 KB, or else from the beginnings of its first lines: a snapshot may stand before
 * the conversation. Undefined if no reader knows it. Throws as `node:fs` does.
 *
 * Readers of your own are asked in their order, before or after the built-in ones: `findReader(path, [mine, ...readers])`.
 */
export function findReader(path: string, readers: readonly TranscriptReader[] = builtIn): TranscriptReader | undefined {
  return detectReader(path, readHead(path), readers) ?? detectReader(path, readLineBeginnings(path), readers);
}

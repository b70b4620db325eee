import type { TranscriptReader } from "../transcripts/reader.ts";

/** The first reader that recognises a file, or undefined. */
export function detectReader(
  path: string,
  head: string,
  readers: readonly TranscriptReader[],
): TranscriptReader | undefined {
  const name = path.toLowerCase().replace(/\.gz$/, "");
  for (const reader of readers) {
    if (reader.extensions.some((extension) => name.endsWith(extension)) && reader.isMine(path, head)) return reader;
  }
  return undefined;
}

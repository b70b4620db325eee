import type { TranscriptReader } from "../transcripts/reader.ts";

/** The first reader that recognises a file, or undefined. */
export function detectReader(
  path: string,
  head: string,
  readers: readonly TranscriptReader[],
): TranscriptReader | undefined {
  const name = withoutGzip(path.toLowerCase());
  for (const reader of readers) {
    if (reader.extensions.some((extension) => name.endsWith(extension)) && reader.isMine(path, head)) return reader;
  }
  return undefined;
}

function withoutGzip(name: string): string {
  return name.endsWith(".gz") ? name.slice(0, -3) : name;
}

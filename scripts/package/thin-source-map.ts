import { decode, encode, type SourceMapSegment } from "@jridgewell/sourcemap-codec";

export interface SourceMap {
  readonly version: number;
  readonly file?: string;
  readonly names: readonly string[];
  readonly sources: readonly string[];
  readonly sourcesContent: readonly (string | null)[];
  readonly mappings: string;
}

/**
 * A map that tells lines, which is what a stack trace needs, and not each word: a quarter of the size. What comes from other
 * packages is left out, with its text.
 */
export function thinSourceMap(map: SourceMap): SourceMap {
  const own = map.sources.map((_, at) => at).filter((at) => !map.sources[at]!.includes("node_modules/"));
  const places = new Map(own.map((at, place) => [at, place]));
  return {
    ...map,
    names: [],
    sources: own.map((at) => map.sources[at]!),
    sourcesContent: own.map((at) => map.sourcesContent[at]!),
    mappings: encode(decode(map.mappings).map((line) => thinLine(line, places))),
  };
}

/** Keeps a segment only where another line of the source begins. */
function thinLine(line: readonly SourceMapSegment[], places: ReadonlyMap<number, number>): SourceMapSegment[] {
  const kept: SourceMapSegment[] = [];
  let latest = "";
  for (const [column, source = -1, sourceLine = 0, sourceColumn = 0] of line) {
    const place = places.get(source);
    const current = place === undefined ? "" : `${place} ${sourceLine}`;
    if (current === latest) continue;
    latest = current;
    kept.push(place === undefined ? [column] : [column, place, sourceLine, sourceColumn]);
  }
  return kept;
}

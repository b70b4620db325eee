import { type Entry, readItems } from "../../adapters/openai/items.ts";
import { digestOfOutput } from "../../adapters/openai/seen-list.ts";
import { setRecent } from "../../core/collections/bounded.ts";
import type { Digest } from "../../core/identity/digest.ts";
import { MESSAGE_PREFIX } from "../../core/reading/result.ts";
import { listOf, recordOf } from "../../transcripts/foreign-value.ts";
import { withWords } from "./message-list.ts";

/**
 * What was said in a conversation, by the result that carries it. The agent keeps the conversation and never sees these words, so they are
 * put into every later request, at the same places.
 */
export type SaidWords = ReturnType<typeof createSaidWords>;

interface Said {
  readonly words: string;
  /** The result without them. */
  readonly before: Digest;
}

const FORMAT = "doomloop-words-1";
const MAX_SAID = 256;
const MAX_WORDS = 8_192;

export function createSaidWords() {
  const said = new Map<string, Said>();
  return {
    get size() {
      return said.size;
    },
    /** A copy of a list with everything that was said in it. */
    restored(items: readonly object[]): object[] {
      const list = [...items];
      if (said.size === 0) return list;
      for (const { at, key, output } of resultsIn(readItems(items))) {
        const known = said.get(key);
        if (known === undefined || known.before !== digestOfOutput(output)) continue;
        list[at] = withWords(items[at]!, known.words) ?? items[at]!;
      }
      return list;
    },
    /** Remembers words by the results that differ between two lists. */
    note(before: readonly object[], after: readonly object[], words: string): void {
      for (const { at, key, output } of resultsIn(readItems(before))) {
        if (after[at] !== before[at]) setRecent(said, key, { words, before: digestOfOutput(output) }, MAX_SAID);
      }
    },
    /** Adds what another process has said. */
    add(text: string | undefined): void {
      for (const [key, words] of readSaid(text)) if (!said.has(key)) setRecent(said, key, words, MAX_SAID);
    },
    /** As text. It contains our own words, ids of calls and digests of results. */
    save: (): string =>
      JSON.stringify({ format: FORMAT, said: [...said].map(([key, { words, before }]) => [key, words, before]) }),
  };
}

interface Result {
  readonly at: number;
  /** Names the result in its list. Ids repeat with some servers. */
  readonly key: string;
  readonly output: unknown;
}

function resultsIn(entries: readonly Entry[]): Result[] {
  const counts = new Map<string, number>();
  return entries.flatMap(({ parts }, at) =>
    parts.flatMap((part) => {
      if (part.type !== "result") return [];
      const count = (counts.get(part.id) ?? 0) + 1;
      counts.set(part.id, count);
      return [{ at, key: `${count} ${part.id}`, output: part.output }];
    }),
  );
}

/** Whoever can write into the store could have written it: nothing but words that look like ours comes from there. */
function readSaid(text: string | undefined): [string, Said][] {
  const saved = text === undefined ? undefined : recordOf(JSON.parse(text));
  if (saved?.format !== FORMAT) return [];
  return listOf(saved.said).flatMap((each): [string, Said][] => {
    const [key, words, before] = listOf(each);
    if (typeof key !== "string" || typeof words !== "string" || typeof before !== "string") return [];
    const isOurs = words.startsWith(MESSAGE_PREFIX) && words.length <= MAX_WORDS;
    return isOurs ? [[key, { words, before }]] : [];
  });
}

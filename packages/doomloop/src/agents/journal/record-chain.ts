import { ID_BYTES, MAGIC, type RecordHeader, type RecordLock, readBody, readHeader } from "./journal-record.ts";

/** A record that counts. */
export interface ChainLink {
  readonly id: string;
  /** Where it ends in the file. */
  readonly end: number;
}

/** The latest record that counts, opened. */
export interface ChainTip extends ChainLink {
  readonly at: number;
  readonly body: Buffer;
}

/** What the first record of a file builds on. */
export const ROOT: ChainLink = { id: "0".repeat(ID_BYTES * 2), end: 0 };

export interface RecordChain {
  /** Absent if there is no record after the one where the chain was taken up. */
  readonly tip: ChainTip | undefined;
  /** The latest before which there is nothing but records that count: no later look at the file can judge these otherwise. */
  readonly settled: ChainLink;
  /** Whether the record that was asked for counts. */
  readonly hasOwn: boolean;
  /** There are so many torn records that nothing behind them counts, whatever it is. */
  readonly isSpoilt: boolean;
}

/** How many records at the end of a chain may turn out to be torn. Killed processes leave few; made-up ones cost no more than this. */
const MAX_TORN = 256;

/**
 * Follows the records of a file, given as its bytes from the end of `from` on.
 *
 * A record counts if it is intact and builds on the last one before it that counts. So of several that build on the same one, only the
 * first counts, and everybody who reads the file agrees on which that is. Whatever else there is (records that came too late, torn
 * ones, garbage) is passed over.
 *
 * Only the last record is opened to see whether it is intact: nobody builds on a torn one, so all before it are.
 */
export function followChain(bytes: Buffer, from: ChainLink, lock: RecordLock, own?: string): RecordChain {
  let headers = listHeaders(bytes);
  const torn = new Set<RecordHeader>();
  while (torn.size <= MAX_TORN) {
    const chain = chainOf(headers, from.id, torn);
    const last = chain.at(-1);
    if (last === undefined) break;
    const body = readBody(lock, bytes, last);
    if (body !== undefined) {
      const tip = { id: last.id, end: from.end + last.end, at: last.at, body };
      const hasOwn = chain.some(({ id }) => id === own);
      return { tip, settled: settledOf(chain, from), hasOwn, isSpoilt: torn.size >= MAX_TORN };
    }
    torn.add(last);
    // They turn up in the order of the file, so what counted before this one still does.
    if (torn.size === MAX_TORN) headers = headers.slice(0, headers.indexOf(last));
  }
  return { tip: undefined, settled: from, hasOwn: false, isSpoilt: torn.size >= MAX_TORN };
}

/** Whatever looks like the beginning of a record, also inside of others: a torn one claims bytes that belong to those behind it. */
function listHeaders(bytes: Buffer): RecordHeader[] {
  const headers: RecordHeader[] = [];
  for (let at = bytes.indexOf(MAGIC); at >= 0; at = bytes.indexOf(MAGIC, at + 1)) {
    const header = readHeader(bytes, at);
    if (header !== undefined) headers.push(header);
  }
  return headers;
}

/** Those that build on each other, the first after `id`. */
function chainOf(headers: readonly RecordHeader[], id: string, torn: ReadonlySet<RecordHeader>): RecordHeader[] {
  const chain: RecordHeader[] = [];
  for (const header of headers) {
    if (header.parent === (chain.at(-1)?.id ?? id) && !torn.has(header)) chain.push(header);
  }
  return chain;
}

function settledOf(chain: readonly RecordHeader[], from: ChainLink): ChainLink {
  const gap = chain.findIndex(({ start }, index) => start !== (chain[index - 1]?.end ?? 0));
  const last = chain.at(gap < 0 ? -1 : gap - 1);
  return gap === 0 || last === undefined ? from : { id: last.id, end: from.end + last.end };
}

import { unlinkSync } from "node:fs";
import { join } from "node:path";
import { FORGOTTEN_AFTER_MS } from "./expiry.ts";
import { type GenerationFile, openGeneration } from "./generation-file.ts";
import { generationNumbers } from "./generation-numbers.ts";
import { JournalError } from "./journal-fault.ts";
import { writeRecord } from "./journal-record.ts";
import { type ChainTip, ROOT } from "./record-chain.ts";

/** Where a journal lies, and how its files are written. */
export interface JournalPlace {
  readonly folder: string;
  readonly key: Buffer;
  /** Bytes of a file that count: once it is as long as this, a new one takes its place. */
  readonly generationBytes: number;
}

/** A journal as it was at one moment. */
export interface JournalView {
  /** The latest state, as it was given to `append`; undefined if there is none, or none that is young enough. */
  readonly body: Buffer | undefined;
  /** Appends a state that was made from this one. True if it counts now; false if another was first, and it never will. */
  append(body: Buffer): boolean;
  close(): void;
}

/** The file to append to, and the numbers of those before it. */
interface Latest {
  readonly file: GenerationFile;
  readonly earlier: readonly number[];
}

/** Opens a journal at its latest state; undefined if it was changed in between, and another look is needed. Throws for faults. */
export function openView(place: JournalPlace, now: () => number): JournalView | undefined {
  const latest = openLatest(place);
  let view: JournalView | undefined;
  try {
    view = latest && viewOf(place, latest, now);
    return view;
  } finally {
    if (view === undefined) latest?.file.close();
  }
}

function viewOf(place: JournalPlace, { file, earlier }: Latest, now: () => number): JournalView | undefined {
  const { tip, settled } = file.readChain(ROOT);
  const state = tip ?? latestIn(place, earlier);
  if (state === "changed") return undefined;
  const isForgotten = state !== undefined && now() - state.at > FORGOTTEN_AFTER_MS;

  return {
    body: isForgotten ? undefined : state?.body,
    append(body) {
      const record = writeRecord({ key: place.key, generation: file.number }, (tip ?? ROOT).id, now(), body);
      if (record.bytes.length > place.generationBytes)
        throw new JournalError("too-large", `journal: a state of ${body.length} bytes does not fit`);
      file.append(record.bytes);
      const { hasOwn, isClosed, isRemoved, isSpoilt } = file.readChain(settled, record.id);
      // A file that is closed and gone has a successor, and that builds on the record. One that is only gone had expired.
      const isKept = hasOwn && (isClosed || !isRemoved);
      if (isKept) remove(place, earlier);
      // Closes the file, so that the next try finds a new one.
      else if (isSpoilt && !isClosed) file.append(Buffer.alloc(place.generationBytes));
      return isKept;
    },
    close: file.close,
  };
}

/** Opens the file to append to: the latest, or a new one behind it if that is closed. */
function openLatest(place: JournalPlace): Latest | undefined {
  const last = generationNumbers(place.folder).at(-1);
  let file = open(place, last ?? 0, last === undefined);
  if (last !== undefined && file?.isClosed()) {
    file.close();
    file = open(place, last + 1, true);
  }
  if (file === undefined) return undefined;
  // Between the two looks, others may have replaced the file and removed it, and this may be an empty one that was made again. As long
  // as there is such a one, there is a later one too. If there is none now, this is the file that everybody appends to.
  const numbers = generationNumbers(place.folder);
  if (numbers.at(-1) === file.number) return { file, earlier: numbers.slice(0, -1) };
  file.close();
  return undefined;
}

/** The latest state in some files, such as the one that a file without records begins with; "changed" if one goes away meanwhile, because there is a record by now. */
export function latestIn(place: JournalPlace, numbers: readonly number[]): ChainTip | "changed" | undefined {
  for (const number of numbers.toReversed()) {
    const file = open(place, number, false);
    if (file === undefined) return "changed";
    try {
      const { tip } = file.readChain(ROOT);
      if (tip !== undefined) return tip;
    } finally {
      file.close();
    }
  }
  return undefined;
}

/** Removes what has been replaced. Whoever has one of these open finds it closed, and goes on. */
function remove(place: JournalPlace, earlier: readonly number[]): void {
  for (const number of earlier) {
    try {
      unlinkSync(join(place.folder, String(number)));
    } catch {
      // Another has done it, or the next one will.
    }
  }
}

function open({ folder, key, generationBytes }: JournalPlace, generation: number, mayCreate: boolean) {
  const path = join(folder, String(generation));
  return openGeneration({ path, lock: { key, generation }, maxBytes: generationBytes, mayCreate });
}

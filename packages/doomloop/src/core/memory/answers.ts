/** Answers in words since the agent last acted or the user last spoke. */
export interface Answers {
  /** How many answers without a call. */
  count(): number;
  /** How many of them say the same as an earlier one. */
  repeats(): number;
  add(text: string): void;
  /** A piece of a streamed answer: which answer it belongs to is known when that ends. */
  addPiece(text: string): void;
  /** The streamed answer ended without a call. */
  endPieces(): boolean;
  /** The agent acted, or the user spoke. */
  clear(): void;
  save(): SavedAnswers;
}

/** What is kept of an answer while it is read: hashes of its words, so that it is the same whether it came whole or in pieces. */
interface Reading {
  readonly low: number;
  readonly high: number;
  /** The kind of the latest character: white space, digits and others count as runs. */
  readonly last: number;
  readonly length: number;
}

export interface SavedAnswers {
  readonly count: number;
  readonly repeats: number;
  /** The streamed answer that has not ended. */
  readonly piece: Reading | null;
  readonly said: readonly string[];
}

const MEMORY = 8;
const MAX_READ = 4096;
const BLANK = 1;
const DIGIT = 2;
const WORD = 3;
const NOTHING_READ: Reading = { low: 0x811c9dc5, high: 0x01000193, last: BLANK, length: 0 };

/** Creates the memory of answers, empty or as it was saved. */
export function createAnswers(saved?: SavedAnswers): Answers {
  let count = saved?.count ?? 0;
  let repeats = saved?.repeats ?? 0;
  let piece: Reading | undefined = saved?.piece ?? undefined;
  let said: string[] = [...(saved?.said ?? [])];

  const end = (reading: Reading): void => {
    count++;
    piece = undefined;
    const identity = `${reading.low.toString(36)} ${reading.high.toString(36)}`;
    if (said.includes(identity)) repeats++;
    else said.push(identity);
    if (said.length > MEMORY) said.shift();
  };

  return {
    count() {
      return count;
    },
    repeats() {
      return repeats;
    },
    add: (text) => end(read(NOTHING_READ, text)),
    addPiece(text) {
      piece = read(piece ?? NOTHING_READ, text);
    },
    endPieces() {
      if (piece === undefined) return false;
      end(piece);
      return true;
    },
    clear() {
      count = 0;
      repeats = 0;
      piece = undefined;
      if (said.length > 0) said = [];
    },
    save: () => ({ count, repeats, piece: piece ?? null, said }),
  };
}

/** Reads on: letters as they are, a run of white space or marks as one blank, a run of digits as one digit. */
function read({ low, high, last, length }: Reading, text: string): Reading {
  let first = low;
  let second = high;
  let before = last;
  const end = Math.min(text.length, MAX_READ - length);
  for (let at = 0; at < end; at++) {
    const unit = text.charCodeAt(at);
    const kind = kindOf(unit);
    // Blanks at the end say nothing: one is noted with the word behind it.
    if (kind === BLANK || (kind === DIGIT && before === DIGIT)) {
      before = kind;
      continue;
    }
    if (before === BLANK) {
      first = Math.imul(first ^ 32, 0x01000193);
      second = Math.imul(second ^ 32, 0x85ebca6b);
    }
    const noted = kind === DIGIT ? 35 : unit;
    first = Math.imul(first ^ noted, 0x01000193);
    second = Math.imul(second ^ noted, 0x85ebca6b) + 1;
    before = kind;
  }
  return { low: first >>> 0, high: second >>> 0, last: before, length: length + Math.max(0, end) };
}

function kindOf(unit: number): number {
  if (unit >= 48 && unit <= 57) return DIGIT;
  const letter = unit | 32;
  return (letter >= 97 && letter <= 122) || unit > 127 ? WORD : BLANK;
}

import { describeOutcome } from "../identity/describe-outcome.ts";
import type { Digest } from "../identity/digest.ts";

/** Answers in words since the agent last acted or the user last spoke. */
export interface Answers {
  /** How many answers without a call. */
  count(): number;
  /** How many of them say the same as an earlier one. */
  repeats(): number;
  add(text: string): void;
  /** A piece of a streamed answer: which answer it belongs to is known when that ends. */
  addPiece(): void;
  /** The streamed answer ended without a call. */
  endPieces(): boolean;
  /** The agent acted, or the user spoke. */
  clear(): void;
  save(): SavedAnswers;
}

export interface SavedAnswers {
  readonly count: number;
  readonly repeats: number;
  readonly hasPieces: boolean;
  readonly said: readonly Digest[];
}

const MEMORY = 8;
const MAX_READ = 4096;

/** Creates the memory of answers, empty or as it was saved. */
export function createAnswers(saved?: SavedAnswers): Answers {
  let count = saved?.count ?? 0;
  let repeats = saved?.repeats ?? 0;
  let hasPieces = saved?.hasPieces ?? false;
  let said: Digest[] = [...(saved?.said ?? [])];
  return {
    count() {
      return count;
    },
    repeats() {
      return repeats;
    },
    add(text) {
      count++;
      hasPieces = false;
      const { digest } = describeOutcome(text.slice(0, MAX_READ));
      if (said.includes(digest)) repeats++;
      else said.push(digest);
      if (said.length > MEMORY) said.shift();
    },
    addPiece() {
      hasPieces = true;
    },
    endPieces() {
      const ended = hasPieces;
      if (ended) count++;
      hasPieces = false;
      return ended;
    },
    clear() {
      count = 0;
      repeats = 0;
      hasPieces = false;
      if (said.length > 0) said = [];
    },
    save: () => ({ count, repeats, hasPieces, said }),
  };
}

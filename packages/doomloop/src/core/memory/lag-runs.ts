import { type Digest, digestHint } from "../identity/digest.ts";

/** The longest cycle that is looked for, in steps. */
export const MAX_PERIOD = 32;
const LENGTH = 96;
const DIGEST_LENGTH = 9;

/** What a step proves about the lap that it belongs to. */
interface LagEvidence {
  /** It came back to the letter, and would have shown it if anything had happened. */
  readonly isProof: boolean;
  /** It came back to the letter. */
  readonly isExact: boolean;
}

const NO_EVIDENCE: LagEvidence = { isProof: false, isExact: true };

/** The steps in order, and for each distance how long they have been repeating at it. */
export interface LagRuns {
  /** Adds a step. */
  push(call: Digest, outcome: Digest, index: number, evidence?: LagEvidence): void;
  /** Whether one of the latest steps shows beyond doubt that the lap was in vain. */
  isCertain(period: number): boolean;
  /** Whether all of the latest steps came back to the letter. */
  isExact(period: number): boolean;
  /**
   * The shortest period of at least `shortest` and at most `longest` at which the latest steps have repeated `laps` times
   * and `extra` steps more; 0 if there is none.
   */
  period(shortest: number, longest: number, laps: number, extra: number): number;
  /** How many whole laps of this period the latest steps make. */
  laps(period: number): number;
  /** Identities of the latest steps, call and outcome in one, oldest first. */
  keys(count: number): readonly string[];
  /** Call indices of the latest steps, oldest first. */
  indices(count: number): readonly number[];
  /** The calls of the steps with these call indices, as far as they are remembered. */
  callsAt(indices: readonly number[]): readonly Digest[];
  /** Nothing that comes repeats what was before. */
  clear(): void;
  save(): SavedLagRuns;
}

export interface SavedLagRuns {
  readonly calls: readonly Digest[];
  readonly outcomes: readonly Digest[];
  readonly indices: readonly number[];
  readonly runs: readonly number[];
  readonly proofs: readonly number[];
  readonly loose: readonly number[];
}

/** Creates the memory of cycles, empty or as it was saved. */
export function createLagRuns(saved?: SavedLagRuns): LagRuns {
  const hints: number[] = [];
  const keys: string[] = [];
  const indices: number[] = [];
  let proofs: number[] = [];
  let loose: number[] = [];
  let runs: number[] = [];
  let count = 0;
  if (saved !== undefined) {
    saved.calls.forEach((call, at) => {
      const key = call + saved.outcomes[at]!;
      keys[at] = key;
      hints[at] = hintOf(key);
      indices[at] = saved.indices[at] ?? 0;
    });
    count = saved.calls.length;
    runs = saved.runs.slice(0, MAX_PERIOD + 1);
    proofs = [...saved.proofs];
    loose = [...saved.loose];
  }

  const lastKeys = <Item>(list: readonly Item[], wanted: number): Item[] => {
    const items: Item[] = [];
    for (let back = Math.min(wanted, count, LENGTH); back >= 1; back--) items.push(list[(count - back) % LENGTH]!);
    return items;
  };

  /** Repetition was tracked by 30 bits of each key; what is reported is checked by all 128. */
  const isReal = (period: number, length: number): boolean => {
    const latest = lastKeys(keys, length + period);
    for (let at = period; at < latest.length; at++) if (latest[at] !== latest[at - period]) return false;
    return latest.length === length + period;
  };

  return {
    push(call, outcome, index, { isProof, isExact } = NO_EVIDENCE) {
      const key = call + outcome;
      const hint = hintOf(key);
      const reach = Math.min(MAX_PERIOD, count);
      for (let lag = 1; lag <= reach; lag++) {
        runs[lag] = hints[(count - lag) % LENGTH] === hint ? (runs[lag] ?? 0) + 1 : 0;
      }
      const at = count % LENGTH;
      hints[at] = hint;
      keys[at] = key;
      indices[at] = index;
      proofs = isProof ? [...proofs, index].slice(-MAX_PERIOD) : proofs;
      loose = isExact ? loose : [...loose, index].slice(-MAX_PERIOD);
      count++;
      if (count >= LENGTH * 1_000_000) count = LENGTH + (count % LENGTH);
    },
    period(shortest, longest, laps, extra) {
      for (let period = shortest; period <= longest; period++) {
        const needed = (laps - 1) * period + extra;
        if ((runs[period] ?? 0) >= needed && isReal(period, Math.min(needed, LENGTH - period))) return period;
      }
      return 0;
    },
    isCertain(period) {
      const latest = lastKeys(indices, period);
      return proofs.some((index) => latest.includes(index));
    },
    isExact(period) {
      const latest = lastKeys(indices, period);
      return !loose.some((index) => latest.includes(index));
    },
    laps: (period) => Math.floor((runs[period] ?? 0) / period) + 1,
    keys: (wanted) => lastKeys(keys, wanted),
    indices: (wanted) => lastKeys(indices, wanted),
    callsAt: (wanted) =>
      keys.filter((_, at) => wanted.includes(indices[at]!)).map((key) => key.slice(0, DIGEST_LENGTH)),
    clear() {
      keys.length = 0;
      proofs = [];
      loose = [];
      count = 0;
      runs = [];
    },
    save() {
      const latest = lastKeys(keys, LENGTH);
      return {
        calls: latest.map((key) => key.slice(0, DIGEST_LENGTH)),
        outcomes: latest.map((key) => key.slice(DIGEST_LENGTH)),
        indices: lastKeys(indices, LENGTH),
        proofs,
        loose,
        runs: Array.from({ length: runs.length }, (_, lag) => runs[lag] ?? 0),
      };
    },
  };
}

/** Some bits of both halves of a key: enough to skip most comparisons. */
function hintOf(key: string): number {
  return digestHint(key) ^ Math.imul(key.charCodeAt(9) | (key.charCodeAt(10) << 15), 0x9e3779b1);
}

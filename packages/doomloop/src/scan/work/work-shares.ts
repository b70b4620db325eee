import type { WorkShare } from "../report/work.ts";

/** What an answered call adds to its share. */
interface CallCost {
  readonly isFailing: boolean;
  readonly timeMs: number;
  readonly characters: number;
}

/** Adds up calls by name. */
export interface WorkShares {
  addCall(name: string): void;
  addResult(name: string, cost: CallCost): void;
  finish(): readonly WorkShare[];
}

interface OpenShare {
  calls: number;
  failed: number;
  timeMs: number;
  characters: number;
}

const MAX_NAMES = 60;

/** Creates empty shares. A run may have thousands of names: beyond a limit, they share one place. */
export function createWorkShares(): WorkShares {
  const shares = new Map<string, OpenShare>();
  const others: OpenShare = { calls: 0, failed: 0, timeMs: 0, characters: 0 };

  const shareOf = (name: string): OpenShare => {
    const known = shares.get(name);
    if (known !== undefined) return known;
    if (shares.size >= MAX_NAMES) return others;
    const share = { calls: 0, failed: 0, timeMs: 0, characters: 0 };
    shares.set(name, share);
    return share;
  };

  return {
    addCall(name) {
      shareOf(name).calls++;
    },
    addResult(name, { isFailing, timeMs, characters }) {
      const share = shareOf(name);
      if (isFailing) share.failed++;
      share.timeMs += timeMs;
      share.characters += characters;
    },
    finish() {
      const named = [...shares].map(([name, share]): WorkShare => ({ name, ...share }));
      return others.calls === 0 ? named : [...named, { name: null, ...others }];
    },
  };
}

/** Adds up the shares of several runs, and keeps the largest: by time, or by calls if there are no times. */
export function joinShares(all: readonly (readonly WorkShare[])[], most: number): readonly WorkShare[] {
  const joined = new Map<string | null, WorkShare>();
  for (const share of all.flat()) joined.set(share.name, added(joined.get(share.name), share));
  const rest = joined.get(null);
  joined.delete(null);
  const sorted = [...joined.values()].sort(bySize);
  const others = [...sorted.slice(most), ...(rest === undefined ? [] : [rest])].map((share) => ({
    ...share,
    name: null,
  }));
  return others.length === 0
    ? sorted.slice(0, most)
    : [...sorted.slice(0, most), others.reduce<WorkShare>((sum, share) => added(sum, share), NOTHING)];
}

const NOTHING: WorkShare = { name: null, calls: 0, failed: 0, timeMs: 0, characters: 0 };

function added(one: WorkShare | undefined, other: WorkShare): WorkShare {
  if (one === undefined) return other;
  return {
    name: one.name,
    calls: one.calls + other.calls,
    failed: one.failed + other.failed,
    timeMs: one.timeMs + other.timeMs,
    characters: one.characters + other.characters,
  };
}

function bySize(one: WorkShare, other: WorkShare): number {
  return other.timeMs - one.timeMs || other.calls - one.calls || (one.name! < other.name! ? -1 : 1);
}

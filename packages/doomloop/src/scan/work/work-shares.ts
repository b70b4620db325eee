import { isShell } from "../../core/progress/read-call.ts";
import { toolKey } from "../report/words.ts";
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
  return largest([...joined.values()], most);
}

/** What shells are called if agents call theirs by several names. */
const SHELLS = "shell";

/** The same for tools: spellings of one tool are one, under the most frequent spelling, and so are the shells of all agents. */
export function joinTools(all: readonly (readonly WorkShare[])[], most: number): readonly WorkShare[] {
  const groups = new Map<string | null, WorkShare[]>();
  for (const share of joinShares(all, Number.POSITIVE_INFINITY)) {
    const key = share.name === null ? null : isShell(share.name) ? SHELLS : toolKey(share.name);
    groups.set(key, [...(groups.get(key) ?? []), share]);
  }
  return largest(
    [...groups].map(([key, shares]) => {
      const [first] = shares.toSorted((one, other) => other.calls - one.calls);
      const name = key === SHELLS && shares.length > 1 ? SHELLS : first!.name;
      return { ...shares.reduce((sum, share) => added(sum, share)), name };
    }),
    most,
  );
}

function largest(shares: readonly WorkShare[], most: number): readonly WorkShare[] {
  const sorted = shares.filter(({ name }) => name !== null).sort(bySize);
  const others = [...sorted.slice(most), ...shares.filter(({ name }) => name === null)];
  const rest = { ...others.reduce<WorkShare>((sum, share) => added(sum, share), NOTHING), name: null };
  return others.length === 0 ? sorted : [...sorted.slice(0, most), rest];
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

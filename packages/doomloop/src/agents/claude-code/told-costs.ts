import { countOf, type ForeignRecord } from "../../transcripts/foreign-value.ts";

/** What Claude Code itself says that the sessions of a stream cost. */
export interface ToldCosts {
  /** Takes the record that ends a turn. */
  take(session: string, result: ForeignRecord): void;
  /** An answer: what was told before does not cover it. */
  goOn(session: string): void;
  /** A session whose cost covers more than its own answers: those of a subagent are a run of their own. */
  leaveOut(session: string): void;
  /** Of the sessions that it was told of to their end. */
  list(): Iterable<readonly [session: string, costUsd: number]>;
}

interface ToldCost {
  readonly before: number;
  readonly latest: number;
  isWhole: boolean;
}

const MAX_SESSIONS = 256;

/** A turn tells what all turns of the process cost so far. A figure that falls is another process, which goes on with the session. */
export function createToldCosts(): ToldCosts {
  const told = new Map<string, ToldCost>();
  const leftOut = new Set<string>();
  return {
    take(session, { total_cost_usd: total }) {
      const cost = countOf(total);
      if (cost === 0 || (told.size >= MAX_SESSIONS && !told.has(session))) return;
      const { before, latest } = told.get(session) ?? { before: 0, latest: 0 };
      told.set(session, { before: cost < latest ? before + latest : before, latest: cost, isWhole: true });
    },
    goOn(session) {
      const known = told.size === 0 ? undefined : told.get(session);
      if (known !== undefined) known.isWhole = false;
    },
    leaveOut(session) {
      if (leftOut.size < MAX_SESSIONS) leftOut.add(session);
    },
    *list() {
      for (const [session, { before, latest, isWhole }] of told)
        if (isWhole && !leftOut.has(session)) yield [session, before + latest] as const;
    },
  };
}

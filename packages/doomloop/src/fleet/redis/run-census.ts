import { createRecencyTable } from "../recency-table.ts";

/** Which runs of this process are active, which of them loop, and which may be stopped. */
export interface RunCensus {
  /** The run does something; `at` is what the clock says. */
  active(run: string, at: number): void;
  looping(run: string): void;
  /** Whether the fleet lets this run be stopped; asks for it if not. */
  mayStop(run: string): boolean;
  /** What to tell the store of. */
  news(): RunNews;
  /** The store knows of these now. */
  told(news: RunNews, granted: readonly string[]): void;
  /** Whether somebody waits for an answer. */
  isAsking(): boolean;
}

export interface RunNews {
  readonly active: readonly string[];
  readonly looping: readonly string[];
  readonly asking: readonly string[];
}

const MAX_RUNS = 10_000;
const MAX_NEWS = 500;

/** Creates a census in which a run that goes on is told again four times a window. */
export function createRunCensus(now: () => number, windowMs: number): RunCensus {
  const activeTold = createRecencyTable<number>(MAX_RUNS);
  const loopingTold = createRecencyTable<number>(MAX_RUNS);
  const granted = createRecencyTable<number>(MAX_RUNS);
  const active = new Set<string>();
  const looping = new Set<string>();
  const asking = new Set<string>();

  const note = (
    run: string,
    at: number,
    told: { get(run: string): number | undefined },
    waiting: Set<string>,
  ): void => {
    const toldAt = told.get(run);
    if ((toldAt === undefined || at - toldAt >= windowMs / 4) && waiting.size < MAX_RUNS) waiting.add(run);
  };

  return {
    active: (run, at) => note(run, at, activeTold, active),
    looping: (run) => note(run, now(), loopingTold, looping),
    mayStop(run) {
      const at = granted.get(run);
      if (at !== undefined && now() - at < windowMs) return true;
      if (asking.size < MAX_RUNS) asking.add(run);
      return false;
    },
    news: () => ({ active: first(active), looping: first(looping), asking: first(asking) }),
    told(news, allowed) {
      const at = now();
      for (const run of news.active) if (active.delete(run)) activeTold.set(run, at);
      for (const run of news.looping) if (looping.delete(run)) loopingTold.set(run, at);
      // Who got no answer asks again when its loop shows again.
      for (const run of news.asking) asking.delete(run);
      for (const run of allowed) granted.set(run, at);
    },
    isAsking: () => asking.size > 0,
  };
}

function first(runs: ReadonlySet<string>): string[] {
  return [...runs].slice(0, MAX_NEWS);
}

import { isEnd } from "../quality/host-run.ts";
import type { CreateGuard } from "../quality/load-guard.ts";
import type { HonestSeries } from "./honest-series.ts";

/** What became of a series whose agent insists at once. */
export interface SeriesEnd {
  readonly isTold: boolean;
  readonly refusals: number;
  /** The call at which the run was ended, from 1, refused ones included. */
  readonly endedAt?: number;
  /** Whether the run was ended within as many calls as were asked for. */
  readonly isEndedWithin: boolean;
}

/** An agent that works through a series and makes a refused call again at once, until all is done or it is ended. */
export function liveSeries(series: HonestSeries, createGuard: CreateGuard): SeriesEnd {
  const { request, tool, args, output, calls, thinkMs, tookMs, isUnflagged = false } = series;
  const flag = isUnflagged ? {} : { error: false };
  const guard = createGuard();
  guard.observe({ type: "user", text: request });
  let [now, isTold, refusals] = [1_790_000_000_000, false, 0];
  // A guard that lets nobody through in ten times as many calls as are needed has ended the work, too.
  for (let attempt = 1, done = 0; done < calls && attempt <= 10 * calls; attempt++) {
    const id = `c${attempt}`;
    now += thinkMs;
    guard.observe({ type: "round" });
    const before = guard.observe({ type: "call", id, tool, args: args(done + 1), at: now });
    isTold ||= before.action !== "continue";
    if (isEnd(before)) return { isTold, refusals, endedAt: attempt, isEndedWithin: attempt <= calls };
    if (before.action === "block") {
      refusals++;
      guard.observe({ type: "result", id, output: before.message, synthetic: true, at: now });
      continue;
    }
    done++;
    now += tookMs;
    const after = guard.observe({ type: "result", id, output: output(done), ...flag, at: now });
    isTold ||= after.action !== "continue";
    if (isEnd(after)) return { isTold, refusals, endedAt: attempt, isEndedWithin: attempt <= calls };
  }
  return { isTold, refusals, isEndedWithin: false };
}

import type { AgentEvent } from "../../packages/doomloop/src/index.ts";
import { hostRun, isEnd } from "../quality/host-run.ts";
import type { CreateGuard } from "../quality/load-guard.ts";
import { failingLoops } from "./loops/failing-loops.ts";
import { firstLoops } from "./loops/first-loops.ts";
import { tradeLoops } from "./loops/trade-loops.ts";
import type { PlainLoop } from "./plain-loop.ts";

/** What an agent's host is like. */
export interface Setting {
  readonly name: string;
  /** From one call to the next. */
  readonly paceMs: number;
  readonly hasClock: boolean;
  readonly hasRounds: boolean;
  readonly hasFlags: boolean;
}

/** The repeats at which the agent was told, refused and ended for the first time, from 1. */
export interface Bite {
  readonly told?: number;
  readonly refused?: number;
  readonly ended?: number;
}

/** A call of a plain loop is to be refused by this repeat, and the run ended; in a clear one earlier. */
export const BY = { refused: 35, ended: 70 } as const;
export const CLEAR_BY = { refused: 10, ended: 20 } as const;
const REPEATS = 100;
const PACES = { fast: 400, usual: 3_300, slow: 25_000 } as const;
/** The share of the time that the tool takes. */
const TOOL_SHARE = 0.1;

export const plainLoops: readonly PlainLoop[] = [...firstLoops, ...failingLoops, ...tradeLoops];

/** Fast, usual and slow agents, with and without rounds and error flags; without a clock, none is faster than another. */
export const settings: readonly Setting[] = [
  ...Object.entries(PACES).map(([pace, paceMs]) => ({ pace, paceMs, hasClock: true })),
  { pace: "no clock", paceMs: PACES.usual, hasClock: false },
].flatMap(({ pace, ...timing }) =>
  [true, false].flatMap((hasRounds) =>
    [true, false].map((hasFlags) => ({
      name: [pace, ...(hasRounds ? [] : ["no rounds"]), ...(hasFlags ? [] : ["no flags"])].join(", "),
      ...timing,
      hasRounds,
      hasFlags,
    })),
  ),
);

/** Has a loop go on for a hundred calls, whatever it is told; a refused call gets the refusal for an answer. */
export function biteOf(loop: PlainLoop, setting: Setting, createGuard: CreateGuard): Bite {
  const { decisions } = hostRun(eventsOf(loop, setting), {}, createGuard());
  const first = (holds: (decision: (typeof decisions)[number]) => boolean): number | undefined => {
    const found = decisions.find((decision) => decision.action !== "continue" && holds(decision));
    return found === undefined ? undefined : found.call + 1;
  };
  const [told, refused, ended] = [first(() => true), first(({ action }) => action === "block"), first(isEnd)];
  return {
    ...(told === undefined ? {} : { told }),
    ...(refused === undefined ? {} : { refused }),
    ...(ended === undefined ? {} : { ended }),
  };
}

/** Whether a loop was refused and ended in time. What leads out of the run need not be refused. */
export function isInTime(
  { isWayOut = false }: PlainLoop,
  { refused, ended }: Bite,
  by: typeof BY | typeof CLEAR_BY,
): boolean {
  const isRefused = isWayOut || (refused ?? ended ?? Number.POSITIVE_INFINITY) <= by.refused;
  return isRefused && ended !== undefined && ended <= by.ended;
}

function eventsOf({ request, step }: PlainLoop, { paceMs, hasClock, hasRounds, hasFlags }: Setting): AgentEvent[] {
  const events: AgentEvent[] = request === undefined ? [] : [{ type: "user", text: request }];
  let now = 1_790_000_000_000;
  const at = (): { at?: number } => (hasClock ? { at: Math.round(now) } : {});
  for (let number = 0; number < REPEATS; number++) {
    const { tool, args, output, isFailure } = step(number);
    const id = `c${number}`;
    // No agent is as regular as a clock: up to a quarter more.
    now += paceMs * (1 - TOOL_SHARE) * (1 + ((number * 37) % 100) / 400);
    if (hasRounds) events.push({ type: "round" });
    events.push({ type: "call", id, tool, args, ...at() });
    now += paceMs * TOOL_SHARE;
    events.push({ type: "result", id, output, ...(hasFlags ? { error: isFailure } : {}), ...at() });
  }
  return events;
}

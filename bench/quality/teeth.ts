import type { AgentEvent } from "../../packages/doomloop/src/index.ts";
import type { CreateGuard } from "./guard.ts";
import { hostRun, isEnd } from "./host-run.ts";
import { type PlainLoop, plainLoops } from "./loops.ts";
import { toTable } from "./report.ts";

/** What an agent's host is like. */
interface Setting {
  readonly name: string;
  /** From one call to the next. */
  readonly paceMs: number;
  readonly hasClock: boolean;
  readonly hasRounds: boolean;
  readonly hasFlags: boolean;
}

/** The repeats at which the agent was told, refused and ended for the first time, from 1. */
interface Bite {
  readonly told: number | undefined;
  readonly refused: number | undefined;
  readonly ended: number | undefined;
}

/** A call of a plain loop is to be refused by this repeat, and the run ended; in a clear one earlier. */
export const BY = { refused: 35, ended: 70 } as const;
export const CLEAR_BY = { refused: 10, ended: 20 } as const;
const REPEATS = 100;
const PACES = { fast: 400, usual: 3_300, slow: 25_000 } as const;
/** The share of the time that the tool takes. */
const TOOL_SHARE = 0.1;

/** Fast, usual and slow agents, with and without rounds and error flags; without a clock, none is faster than another. */
export const settings: readonly Setting[] = [
  ...Object.entries(PACES).map(([pace, paceMs]) => ({ pace, paceMs, hasClock: true })),
  { pace: "no clock", paceMs: PACES.usual, hasClock: false },
].flatMap(({ pace, ...timing }) =>
  [true, false].flatMap((hasRounds) =>
    [true, false].map((hasFlags) => {
      const name = [pace, ...(hasRounds ? [] : ["no rounds"]), ...(hasFlags ? [] : ["no flags"])].join(", ");
      return { name, ...timing, hasRounds, hasFlags };
    }),
  ),
);

/** Has a loop go on for a hundred calls, whatever it is told; a refused call gets the refusal for an answer. */
export function biteOf(loop: PlainLoop, setting: Setting, createGuard: CreateGuard): Bite {
  const { decisions } = hostRun(eventsOf(loop, setting), {}, createGuard());
  const first = (holds: (decision: (typeof decisions)[number]) => boolean): number | undefined => {
    const found = decisions.find((decision) => decision.action !== "continue" && holds(decision));
    return found === undefined ? undefined : found.call + 1;
  };
  return { told: first(() => true), refused: first(({ action }) => action === "block"), ended: first(isEnd) };
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

/** Prints every loop of the usual agent, and how many are in time with each kind of host. */
export function printTeeth(createGuard: CreateGuard, isVerbose: boolean): void {
  const bitten = settings.map((setting) => ({
    setting,
    all: plainLoops.map((loop) => ({ loop, bite: biteOf(loop, setting, createGuard) })),
  }));
  const usual = bitten
    .find(({ setting }) => setting.name === "usual")!
    .all.map(({ loop, bite }) => [
      ...[loop.name, loop.isClear ? "clear" : loop.isWayOut ? "way out" : ""],
      ...cellsOf(bite),
      isSoon(loop, bite) ? "yes" : "no",
    ]);
  console.log(toTable(["loop, usual agent", "", "told", "refused", "ended", "in time"], usual, 2));
  const rows = bitten.map(({ setting, all }) => {
    const count = (holds: (bite: Bite, loop: PlainLoop) => boolean): string =>
      `${all.filter(({ bite, loop }) => holds(bite, loop)).length}`;
    return [
      ...[setting.name, `${all.length}`],
      ...(["told", "refused", "ended"] as const).map((field) => count((bite) => bite[field] !== undefined)),
      count((bite, loop) => isInTime(loop, bite, BY)),
      count((_, { isClear }) => isClear === true),
      count((bite, loop) => loop.isClear === true && isInTime(loop, bite, CLEAR_BY)),
    ];
  });
  const head = ["host", "loops", "told", "refused", "ended", "in time", "clear ones", "in time"];
  console.log(`\n${toTable(head, rows)}`);
  const clear = `clear ones by ${CLEAR_BY.refused}, ${CLEAR_BY.ended}`;
  console.log(`\nIn time: refused by ${BY.refused}, ended by ${BY.ended}; ${clear}.`);
  if (!isVerbose) return;
  for (const { setting, all } of bitten)
    for (const { loop, bite } of all) {
      const [told, refused, ended] = cellsOf(bite);
      if (!isSoon(loop, bite))
        console.log(`${setting.name}: ${loop.name}: told ${told}, refused ${refused}, ended ${ended}`);
    }
}

function isSoon(loop: PlainLoop, bite: Bite): boolean {
  return isInTime(loop, bite, loop.isClear ? CLEAR_BY : BY);
}

function cellsOf({ told, refused, ended }: Bite): string[] {
  return [told, refused, ended].map((repeat) => `${repeat ?? "-"}`);
}

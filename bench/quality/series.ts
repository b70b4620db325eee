import { readFileSync } from "node:fs";
import type { CreateGuard } from "./guard.ts";
import { isEnd } from "./host-run.ts";

/** Work that is the same call again and again because the request wants it so. */
export interface HonestSeries {
  readonly name: string;
  readonly request: string;
  readonly tool: string;
  /** The arguments, and the answer, of the call with this number, from 1. */
  readonly args: (number: number) => object;
  readonly output: (number: number) => string | object;
  /** How many calls the request asks for. */
  readonly calls: number;
  /** From an answer to the next call, and from a call to its answer. */
  readonly thinkMs: number;
  readonly tookMs: number;
  /** The host does not know whether a call failed. */
  readonly isUnflagged?: boolean;
}

const THINGS = "pump boiler lift router oven scanner door heater sensor valve motor fan".split(" ");
const PEOPLE = "Ada Ben Cleo Dan Eva Finn Gita Hugo Ines Jon".split(" ");
const thing = (number: number): string => THINGS[number % THINGS.length]!;
const person = (number: number): string => PEOPLE[number % PEOPLE.length]!;

type WrittenSeries = Omit<HonestSeries, "args" | "output"> & { group: string; args: object; output: string | object };

/** Of one equal record for an answer, from `series.jsonl`, each as often as the request asks for. */
const equal = readFileSync(new URL("./series.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => {
    const { args, output, ...series } = JSON.parse(line) as WrittenSeries;
    return { ...series, args: () => args, output: () => output };
  });
export const items: readonly HonestSeries[] = equal.filter(({ group }) => group === "items");
/** Two of these, asked for in other words: the wording must not decide. */
export const asked: readonly HonestSeries[] = equal.filter(({ group }) => group === "asked");

/** Different records that speak of failures, and are none. */
export const tickets: readonly HonestSeries[] = [
  [
    "a failure is reported",
    (number: number) =>
      `Ticket ${number} from ${person(number)}: the ${thing(number)} reports a failure since ${number} o'clock. Please send somebody to hall ${number % 7}.`,
  ],
  [
    "an error on a machine",
    (number: number) =>
      `Error on ${thing(number)} in hall ${number % 7}: ${person(number)} saw it at ${number} o'clock.`,
  ],
  [
    "a claim",
    (number: number) =>
      `Claim ${number}: ${person(number)}'s ${thing(number)} failed on day ${number}. Damage ${number * 130} Euro.`,
  ],
  [
    "a diagnosis",
    (number: number) => `Patient ${person(number)} ${number}: heart failure, ${60 + number} years, room ${number % 9}.`,
  ],
  [
    "a failed payment",
    (number: number) => ({ id: number, amount: number * 13, status: "failed", customer: person(number) }),
  ],
  [
    "a declined card",
    (number: number) => ({ id: number, amount: number * 13, error: "card declined", customer: person(number) }),
  ],
].flatMap(([name, output]) =>
  (["get_record", "next_record"] as const).map((tool) => ({
    name: `${name}, ${tool}`,
    request: "Work through them.",
    tool,
    args: (number: number) => (tool === "get_record" ? { id: number } : {}),
    output: output as HonestSeries["output"],
    calls: 30,
    thinkMs: 4_500,
    tookMs: 500,
    isUnflagged: true,
  })),
);

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

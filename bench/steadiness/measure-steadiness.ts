import type { CreateGuard } from "../quality/load-guard.ts";
import { randomFrom } from "../quality/random.ts";
import { shareOf } from "../quality/share.ts";
import { failingLoops } from "../teeth/loops/failing-loops.ts";
import { firstLoops } from "../teeth/loops/first-loops.ts";
import type { PlainLoop } from "../teeth/plain-loop.ts";
import { type Change, changes } from "./changes.ts";
import { honestRuns } from "./honest.ts";
import { type Answers, type Host, type Script, tellRun } from "./tell-run.ts";

/** A run told in another way, beside itself as it is. */
export interface Cell {
  readonly script: string;
  readonly group: string;
  readonly change: string;
  readonly base: Answers;
  readonly got: Answers;
  readonly isHeld: boolean;
}

export interface Steadiness {
  readonly loops: readonly Cell[];
  readonly honest: readonly Cell[];
  /** Loops that get an answer in time as they are. */
  readonly heard: number;
  /** Loops that hold, as the mean of the groups. */
  readonly loopShare: number;
  readonly honestShare: number;
  readonly refusedAsTheyAre: number;
  /** The product of the three shares: neither a deaf guard nor one that counts everything gets far. */
  readonly overall: number;
}

/** What a plain loop gets. Whoever answers earlier as it is, need not do so in other words. */
const PLAIN: Answers = { told: 3, refused: 10, ended: 20 };
/** A loop is heard if it is told and ended by these calls. An act shows little, so its words may take longer. */
const HEARD = { told: 8, toldOfAct: 21, ended: 60 };
const LATER_WORDS = 2;
const LATER = 1.5;
const MOST_CALLS = 100;
const USUAL_REQUEST = "Repair the login of the shop.";
const TRIPLES = 200;

/** The same loop in other words must get nearly the same answers, and an honest run no harder ones. */
export function measureSteadiness(createGuard: CreateGuard, realRequests: readonly string[] = []): Steadiness {
  const told = realRequests.length > 0 ? realChanges(realRequests) : undefined;
  const scripts = loops.map(scriptOf);
  const bases = scripts.map((script) => tellRun(createGuard, script));
  const cellsOf = (
    script: Script,
    base: Answers,
    own: readonly Change[],
    holds: (base: Answers, got: Answers) => boolean,
  ): Cell[] =>
    own.map(({ group, name, host }) => {
      const got = tellRun(createGuard, script, host);
      return { script: script.name, group, change: name, base, got, isHeld: holds(base, got) };
    });
  const loopCells = scripts.flatMap((script, at) =>
    cellsOf(
      script,
      bases[at]!,
      told?.instead ?? [...changes.filter((each) => isFor(each, script)), ...triplesFor(script, at)],
      isAsBefore,
    ),
  );
  const honestCells = honestRuns.flatMap((script) => {
    const base = tellRun(createGuard, script);
    const own = (told?.after ?? changes).filter((each) => isFor(each, script) && each.group !== "words in results");
    const asItIs: Cell = {
      script: script.name,
      group: "as it is",
      change: "",
      base,
      got: base,
      isHeld: base.refused === Infinity,
    };
    return [asItIs, ...cellsOf(script, base, own, isNotHarder)];
  });
  const groups = [...new Set(loopCells.map(({ group }) => group))];
  const shares = groups.map((group) =>
    shareOf(
      loopCells.filter((cell) => cell.group === group),
      ({ isHeld }) => isHeld,
    ),
  );
  const loopShare = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  const heard = shareOf(
    bases.map((base, at) => ({ base, loop: loops[at]! })),
    ({ base, loop }) => isHeard(base, loop),
  );
  const honestShare = shareOf(honestCells, ({ isHeld }) => isHeld);
  const refusedAsTheyAre = honestCells.filter(({ group, isHeld }) => group === "as it is" && !isHeld).length;
  return {
    loops: loopCells,
    honest: honestCells,
    heard,
    loopShare,
    honestShare,
    refusedAsTheyAre,
    overall: heard * loopShare * honestShare,
  };
}

/** Loops in which agents were seen; what leads out of a run is never refused. */
const loops: readonly PlainLoop[] = [...firstLoops, ...failingLoops].filter(({ isWayOut }) => !isWayOut);
const ACTS = /click|scroll|send|update|edit|t_17|do_thing|computer/;

function scriptOf({ name, request, step }: PlainLoop): Script {
  return { name, request: request ?? USUAL_REQUEST, calls: MOST_CALLS, step };
}

function isFor({ isForFailures, hasNoClock }: Change, { needsClock, step }: Script): boolean {
  if (isForFailures && !step(0).isFailure) return false;
  return !(hasNoClock && needsClock);
}

function isAsBefore(base: Answers, got: Answers): boolean {
  return (
    got.told <= Math.max(base.told, PLAIN.told) + LATER_WORDS &&
    got.refused <= LATER * Math.max(base.refused, PLAIN.refused) &&
    got.ended <= LATER * Math.max(base.ended, PLAIN.ended)
  );
}

function isNotHarder(base: Answers, got: Answers): boolean {
  return got.ended === Infinity && (got.refused === Infinity || base.refused < Infinity);
}

function isHeard({ told, ended }: Answers, { step }: PlainLoop): boolean {
  const first = step(0);
  const isAct = ACTS.test(first.tool) && !first.isFailure;
  return told <= (isAct ? HEARD.toldOfAct : HEARD.told) && ended <= HEARD.ended;
}

/** Three changes of different groups at once, drawn for each loop. */
function triplesFor(script: Script, seed: number): Change[] {
  const random = randomFrom(seed + 1);
  const own = changes.filter((each) => isFor(each, script));
  return Array.from({ length: Math.ceil(TRIPLES / loops.length) }, () => {
    const host: Partial<Host> = {};
    const names: string[] = [];
    const groups = new Set<string>();
    while (groups.size < 3) {
      const change = own[Math.floor(own.length * random())]!;
      if (groups.has(change.group) || Object.keys(change.host).some((key) => key in host)) continue;
      groups.add(change.group);
      names.push(change.name);
      Object.assign(host, change.host);
    }
    return { group: "three at once", name: names.join(" + "), host };
  });
}

/** Real requests stand in place of a loop's, and after an honest run's. */
function realChanges(requests: readonly string[]): { readonly instead: Change[]; readonly after: Change[] } {
  const told = (ask: (request: string, real: string) => string): Change[] =>
    requests.map((real, at) => ({
      group: "real requests",
      name: `${at}`,
      host: { ask: (request) => ask(request, real) },
    }));
  return { instead: told((_, real) => real), after: told((request, real) => `${request}\n\n${real}`) };
}

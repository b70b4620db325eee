import type { AgentEvent, Decision } from "../../packages/doomloop/src/index.ts";
import type { CreateGuard } from "./guard.ts";
import { honestRuns } from "./healthy-runs.ts";
import { type PlainLoop, plainLoops } from "./loops.ts";
import { randomFrom, shareOf } from "./numbers.ts";
import { type Change, changes } from "./retellings.ts";

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
const loops: readonly PlainLoop[] = plainLoops.filter(({ isTrade, isWayOut }) => !isTrade && !isWayOut);
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

/** A call with what the world answers. */
export interface Told {
  readonly tool: string;
  readonly args: unknown;
  readonly output: unknown;
  readonly isFailure: boolean;
  readonly pauseMs?: number;
  readonly tookMs?: number;
}

/** A run, call by call; an honest one ends. */
export interface Script {
  readonly name: string;
  readonly request: string;
  readonly calls: number;
  /** What it waits for shows in its clock alone. */
  readonly needsClock?: boolean;
  /** The call with this number, from 0. */
  readonly step: (number: number) => Told;
}

/** How a host tells a run. */
export interface Host {
  readonly hasIds: boolean;
  readonly hasRounds: boolean;
  /** `both`: the flag is true or false; `failures`: only true is told. */
  readonly flag: "both" | "failures" | "none";
  /** How long the model takes; undefined: there is no clock. */
  readonly thinkMs: number | undefined;
  readonly ask: (request: string) => string;
  readonly args: (args: unknown) => unknown;
  readonly wrap: (told: Told, number: number) => unknown;
  readonly rename: (tool: string) => string;
  /** What the model says before a call. */
  readonly think: ((number: number) => AgentEvent) | undefined;
  /** What the harness says as the user before each round but the first. */
  readonly remind: ((number: number) => string) | undefined;
}

/** The calls, from 1, at which the agent was told, refused and ended for the first time; Infinity: never. */
export interface Answers {
  readonly told: number;
  readonly refused: number;
  readonly ended: number;
}

const BASE: Host = {
  hasIds: true,
  hasRounds: true,
  flag: "both",
  thinkMs: 4_000,
  ask: (request) => request,
  args: (args) => args,
  wrap: ({ output }) => output,
  rename: (tool) => tool,
  think: undefined,
  remind: undefined,
};
const USUAL_TOOK_MS = 120;

/** Tells a run to a guard. The agent insists: a refused call gets the refusal as its result, and the next call is made. */
export function tellRun(createGuard: CreateGuard, script: Script, changed: Partial<Host> = {}): Answers {
  const host = { ...BASE, ...changed };
  const guard = createGuard();
  const hasClock = host.thinkMs !== undefined;
  const answers = { told: Infinity, refused: Infinity, ended: Infinity };
  let now = 1_790_000_000_000;
  let calls = 0;
  const tell = (event: AgentEvent): Decision => {
    const decision = guard.observe(event);
    const { action } = decision;
    if (action === "continue") return decision;
    const isEnd = action === "stop" || action === "restart";
    answers.told = Math.min(answers.told, calls);
    if (isEnd || action === "block") answers.refused = Math.min(answers.refused, calls);
    if (isEnd) answers.ended = Math.min(answers.ended, calls);
    return decision;
  };
  tell({ type: "user", text: host.ask(script.request) });
  while (calls < script.calls && answers.ended === Infinity) {
    const step = script.step(calls++);
    const told = { ...step, tool: host.rename(step.tool), args: host.args(step.args) };
    if (calls > 1 && host.remind !== undefined) tell({ type: "user", text: host.remind(calls) });
    if (host.hasRounds) tell({ type: "round" });
    if (host.think !== undefined) tell(host.think(calls));
    // No agent is as regular as a clock.
    now += (host.thinkMs ?? 0) * (0.8 + ((calls * 37) % 40) / 100) + (told.pauseMs ?? 0);
    const id = host.hasIds ? { id: `call_${calls}` } : {};
    const at = (): { at?: number } => (hasClock ? { at: Math.round(now) } : {});
    const before = tell({ type: "call", ...id, tool: told.tool, args: told.args, ...at() });
    if (answers.ended < Infinity) break;
    if (before.action === "block") {
      tell({ type: "result", ...id, output: before.message, synthetic: true, ...at() });
      continue;
    }
    now += told.tookMs ?? USUAL_TOOK_MS;
    const isFlagged = host.flag === "both" || (host.flag === "failures" && told.isFailure);
    const error = isFlagged ? { error: told.isFailure } : {};
    tell({ type: "result", ...id, output: host.wrap(told, calls), ...error, ...at() });
  }
  return answers;
}

import type { CallWatch } from "./call-watch.ts";

/** A run, by where it is now. */
export interface LiveRun {
  readonly watch: CallWatch;
  /** The agent that it began with. */
  readonly first: object;
  /** The agent that it is with. */
  agent: object;
  /** The agent that it is with has yet to start. */
  isHandedOff: boolean;
  /** How many of these happen at the same time: of more than one, nobody can tell which one a call belongs to. */
  active: number;
}

/** A run's calls are told by its context and its agent. An agent that is a tool runs in the context of whoever calls it. */
const byContext = new WeakMap<object, LiveRun[]>();

const MAX_RUNS = 100;

/** The run that an agent is at work in, or a new one for a run that was restored; undefined where it cannot be told. */
export function runOf(context: object, agent: object, watch: () => CallWatch): LiveRun | undefined {
  const runs = runsIn(context).filter((run) => run.agent === agent);
  if (runs.length === 0) return begin(context, agent, watch());
  return runs.length === 1 && runs[0]!.active <= 1 ? runs[0] : undefined;
}

/** Whether an agent is at work in a context. */
export function isLive(context: object, agent: object): boolean {
  return runsIn(context).some((run) => run.agent === agent);
}

/** The run that was handed to an agent which starts now, if there is one. */
export function takeHandedOff(context: object, agent: object): LiveRun | undefined {
  const run = runsIn(context).findLast((run) => run.agent === agent && run.isHandedOff);
  if (run !== undefined) run.isHandedOff = false;
  return run;
}

/** A run begins with an agent. Where one began with it before, in the same context, the user has spoken. */
export function startRun(context: object, agent: object, watch: () => CallWatch): void {
  const run = runsIn(context).find(({ first }) => first === agent) ?? begin(context, agent, watch());
  run.active++;
  if (run.active > 1) return;
  run.agent = agent;
  run.watch.run.user();
}

/** A run goes on with another agent. */
export function handOff(context: object, agent: object, next: object): void {
  const run = latestWith(context, agent);
  if (run?.active !== 1) return;
  run.agent = next;
  run.isHandedOff = true;
}

/** A run is over. One that fails or waits for a human is not told of. */
export function endRun(context: object, agent: object): void {
  const run = latestWith(context, agent);
  if (run !== undefined && run.active > 0) run.active--;
}

function begin(context: object, agent: object, watch: CallWatch): LiveRun {
  const run = { watch, first: agent, agent, isHandedOff: false, active: 0 };
  byContext.set(context, [...runsIn(context), run].slice(-MAX_RUNS));
  return run;
}

/** Of two, the one that was called is over first. */
function latestWith(context: object, agent: object): LiveRun | undefined {
  return runsIn(context).findLast((run) => run.agent === agent);
}

function runsIn(context: object): LiveRun[] {
  return byContext.get(context) ?? [];
}

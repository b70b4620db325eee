import { setRecent } from "../../core/collections/bounded.ts";
import type { LoopStop } from "../../host/host-options.ts";
import { boundedJson } from "../../host/model-value.ts";
import type { CallWatch } from "./call-watch.ts";

/** A run, and where it is now. */
export interface LiveRun {
  readonly watch: CallWatch;
  /** The agent that the run began with. */
  first: object;
  /** The current agent. */
  agent: object;
  /** Whether the current agent has still to start. */
  isHandedOff: boolean;
  /** How many such runs are active at the same time. If there are several, we cannot tell which one a call belongs to. */
  active: number;
}

/** A call's run is identified by context and agent. An agent that is a tool runs in the context of its caller. */
const byContext = new WeakMap<object, LiveRun[]>();

/** Contexts of runs that have not ended. Such a run may wait for a human, and be restored from text. */
const unfinished = new Map<object, true>();

const MAX_RUNS = 100;

/**
 * The run that an agent is working in; undefined if we cannot tell. A run that was restored from text has a new context. If it
 * `mayBeKnown`, it is recognised; otherwise a new run begins.
 */
export function runOf(
  context: object,
  agent: object,
  watch: () => CallWatch,
  mayBeKnown: boolean,
): LiveRun | undefined {
  const runs = runsIn(context).filter((run) => run.agent === agent);
  if (runs.length === 0) return (mayBeKnown ? resumeRun(context, agent) : undefined) ?? begin(context, agent, watch());
  return runs.length === 1 && runs[0]!.active <= 1 ? runs[0] : undefined;
}

/** Whether an agent is working in a context. */
export function isLive(context: object, agent: object): boolean {
  return runsIn(context).some((run) => run.agent === agent);
}

/** The end of the run that an agent is working in. */
export function liveStop(context: object, agent: object): LoopStop | undefined {
  return latestWith(context, agent)?.watch.run.stopped();
}

/** The run that was handed to an agent that starts now, if there is one. */
export function takeHandedOff(context: object, agent: object): LiveRun | undefined {
  const run = runsIn(context).findLast((run) => run.agent === agent && run.isHandedOff);
  if (run !== undefined) run.isHandedOff = false;
  return run;
}

/** A run starts with an agent. If one started with it before in the same context, the user has spoken. */
export function startRun(context: object, agent: object, watch: () => CallWatch): void {
  const run = runsIn(context).find(({ first }) => first === agent) ?? begin(context, agent, watch());
  run.active++;
  if (run.active > 1) return;
  run.agent = agent;
  run.watch.run.user();
}

/** A run continues with another agent. */
export function handOff(context: object, agent: object, next: object): void {
  const run = latestWith(context, agent);
  if (run?.active !== 1) return;
  run.agent = next;
  run.isHandedOff = true;
}

/** A run is over. The SDK does not report a run that fails or waits for a human. */
export function endRun(context: object, agent: object): void {
  const run = latestWith(context, agent);
  if (run !== undefined && run.active > 0) run.active--;
  if (runsIn(context).every(({ active }) => active === 0)) unfinished.delete(context);
}

/**
 * Finds the run of this process that was stored with an equal context, if there is exactly one. Only one restored run can continue it: a second
 * copy, or the original run, starts fresh.
 */
function resumeRun(context: object, agent: object): LiveRun | undefined {
  const text = runsIn(context).length > 0 ? undefined : storedText(context);
  if (text === undefined) return undefined;
  const equal = [...unfinished.keys()].filter((other) => storedText(other) === text);
  const [stored] = equal;
  const run = stored && runsIn(stored).find((each) => nameOf(each.agent) === nameOf(agent));
  if (run === undefined || equal.length > 1) return undefined;
  if (run.first === run.agent) run.first = agent;
  run.agent = agent;
  byContext.set(context, runsIn(stored!)).delete(stored!);
  unfinished.delete(stored!);
  setRecent(unfinished, context, true, MAX_RUNS);
  return run;
}

/** A context as it is stored. Undefined if nothing has happened in it, because it would equal many others. */
function storedText(context: object): string | undefined {
  const text = boundedJson(context);
  if (text === undefined) return undefined;
  const { usage, approvals } = JSON.parse(text) as { usage?: { requests?: number }; approvals?: object };
  return (usage?.requests ?? 0) > 0 || Object.keys(approvals ?? {}).length > 0 ? text : undefined;
}

function nameOf(agent: object): unknown {
  return (agent as { name?: unknown }).name;
}

function begin(context: object, agent: object, watch: CallWatch): LiveRun {
  const run = { watch, first: agent, agent, isHandedOff: false, active: 0 };
  byContext.set(context, [...runsIn(context), run].slice(-MAX_RUNS));
  setRecent(unfinished, context, true, MAX_RUNS);
  return run;
}

/** If there are two, the one that was called last is over first. */
function latestWith(context: object, agent: object): LiveRun | undefined {
  return runsIn(context).findLast((run) => run.agent === agent);
}

function runsIn(context: object): LiveRun[] {
  return byContext.get(context) ?? [];
}

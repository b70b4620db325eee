import { setRecent } from "../core/collections/bounded.ts";
import { safely } from "../core/faults.ts";
import type { FleetGlobalFinding } from "./fleet.ts";
import { createReportQueue, MAX_WAIT_MS, type Waiting } from "./report-queue.ts";
import { MAX_SUSPECTS, type StoreCounts, type Suspect } from "./store.ts";
import type { FlushOutcome, ResolvedStoreOptions, StoreFleetOptions } from "./store-fleet-options.ts";
import { createStoreLink } from "./store-link.ts";

/** Calls that have failed or worked here lately. */
const MAX_NAMES = 1000;
/** Counts that are read after one look at the list. */
const MAX_CHECKS = 8;

/** Every process looks at the list at least once in so many heartbeats' time, and its objection arrives. */
const BEATS_TO_CONFIRM = 1.25;

/** A suspect that is a dead end: nobody has objected, and the store has counted it again since. */
interface DeadEnd extends Suspect, Pick<StoreCounts, "calls" | "processes"> {}

/** A call on the list of suspects. */
interface Known {
  readonly tool: string;
  /** When it was first seen there. Until it is due, any process may object. */
  readonly dueAt: number;
  readonly deadEnd?: DeadEnd;
  /** When the counts of a dead end are over. */
  readonly until?: number;
}

/**
 * What one process tells a store, and what it learns there. All calls go by their names in the store.
 *
 * The store counts calls that failed. A process that sees enough of them puts the call on the list of suspects, which all processes look
 * at. One that has seen the call work meanwhile objects: it has the counts deleted. If the store still counts enough once all had time to
 * object, the call is a dead end.
 */
export function createStoreExchange(options: StoreFleetOptions, settings: ResolvedStoreOptions, now: () => number) {
  const { tenant, calls: leastCalls, workers: leastProcesses, windowMs, heartbeatMs, deadlineMs, process } = settings;
  const store = options.store({ tenant, windowMs });
  const link = createStoreLink(deadlineMs, options);
  const known = new Map<string, Known>();
  const queue = createReportQueue(now, (reports) => flushed(0, reports, "dropped"));
  /** When calls last worked here. */
  const worked = new Map<string, number>();
  /** Calls that were reported here and have not worked since. */
  const reported = new Map<string, true>();
  /** Suspects that this process was the first to put on the list. */
  const claims = new Map<string, true>();

  const flushed = (durationMs: number, reports: number, outcome: FlushOutcome): void => {
    if (reports > 0) safely(() => options.observer?.onFlush({ durationMs, reports, outcome }));
  };
  const isDeadEnd = ({ calls, processes }: StoreCounts): boolean => calls >= leastCalls && processes >= leastProcesses;
  const findingOf = ({ name, tool, calls, processes }: DeadEnd): FleetGlobalFinding => {
    return { fingerprint: name, tool, calls, workers: processes, counted: "processes", windowMs, workerNames: [] };
  };

  const deadEnd = (name: string): DeadEnd | undefined => {
    const { deadEnd: found, until = 0 } = known.get(name) ?? {};
    return until > now() ? found : undefined;
  };
  const isDue = ({ dueAt, deadEnd: found }: Known): boolean => found === undefined && dueAt <= now();
  /** Suspects to which nobody has objected in time, as far as this process knows. The longest known come first. */
  const due = (): string[] => [...known].flatMap(([name, each]) => (isDue(each) ? [name] : []));

  /** Takes the list as it is now. Returns the names that are new. */
  const hear = (list: readonly Suspect[]): string[] => {
    const listed = new Map(list.slice(0, MAX_SUSPECTS).map(({ name, tool }) => [name, tool]));
    for (const [name, { until = Infinity }] of known) if (!listed.has(name) || until <= now()) known.delete(name);
    const heard = [...listed].filter(([name]) => !known.has(name));
    for (const [name, tool] of heard) known.set(name, { tool, dueAt: now() + BEATS_TO_CONFIRM * heartbeatMs });
    return heard.map(([name]) => name);
  };

  /** The store will forget what it counts. */
  const clear = (name: string): void => {
    queue.worked(name);
    for (const names of [known, reported, claims]) names.delete(name);
  };

  /** Reads what is counted for a suspect. Objects if the call has worked here since; otherwise it is a dead end, if it is time. */
  const check = async (name: string): Promise<void> => {
    const askedAt = now();
    const read = (): Promise<StoreCounts> => store.count({ name, calls: [], process });
    await link.ask(read, (counts) => {
      const beganAt = askedAt - (windowMs - counts.lastsMs);
      // What was counted first may have waited before it was sent.
      if ((worked.get(name) ?? Number.NEGATIVE_INFINITY) > beganAt - MAX_WAIT_MS) return clear(name);
      const suspect = known.get(name);
      if (suspect === undefined || !isDue(suspect)) return;
      // Nothing is counted any more, and nobody has taken it off the list.
      if (counts.calls === 0) return clear(name);
      if (!isDeadEnd(counts)) return known.delete(name);
      const found = { name, tool: suspect.tool, calls: counts.calls, processes: counts.processes };
      known.set(name, { ...suspect, deadEnd: found, until: now() + counts.lastsMs });
      if (claims.delete(name)) safely(() => options.onFinding?.(findingOf(found)));
    });
  };

  const send = async (waiting: Waiting): Promise<FlushOutcome> => {
    const { name, tool, calls, isCleared } = waiting;
    const cleared = isCleared ? await link.ask(() => store.clear(name)) : "delivered";
    if (cleared !== "delivered") queue.giveBack(waiting);
    if (cleared !== "delivered" || calls.size === 0) return cleared;
    let listed: Promise<FlushOutcome> | undefined;
    const outcome = await link.ask(
      () => store.count({ name, calls: [...calls], process }),
      (counts) => {
        if (isDeadEnd(counts)) listed = list(name, tool);
      },
    );
    return (await listed) ?? outcome;
  };

  const list = (name: string, tool: string): Promise<FlushOutcome> =>
    link.ask(
      () => store.suspect({ name, tool }),
      (isNew) => isNew && setRecent(claims, name, true, MAX_NAMES),
    );

  /** Sends what waits, in batches; by default, one. Ends early if the store does not take it. */
  const deliver = async (most = 1): Promise<void> => {
    for (let batches = 0; batches < most && !queue.isEmpty(); batches++) {
      const start = performance.now();
      const batch = queue.take();
      const outcomes = await Promise.all(batch.map(send));
      const outcome = outcomes.find((each) => each !== "delivered") ?? "delivered";
      const reports = batch.reduce((sum, each) => sum + each.reports, 0);
      flushed(performance.now() - start, reports, outcome);
      if (outcome !== "delivered") return;
    }
  };

  return {
    link,
    queue,
    deliver,
    /** The dead end of this name, if it is one. */
    deadEnd,
    findings: (): FleetGlobalFinding[] => [...known.keys()].flatMap((name) => deadEnd(name) ?? []).map(findingOf),
    knowsAny: (): boolean => known.size > 0,
    isAnyDue: (): boolean => due().length > 0,
    /** The call failed, or brought nothing new. `call` tells it from all others. */
    failed(name: string, tool: string, call: () => string): void {
      // One more changes nothing.
      if (deadEnd(name) !== undefined) return;
      setRecent(reported, name, true, MAX_NAMES);
      queue.failed(name, tool, call());
    },
    /** The call worked. Others need not hear of that if nobody has reported it. */
    worked(name: string): void {
      setRecent(worked, name, now(), MAX_NAMES);
      if (reported.has(name) || known.has(name)) clear(name);
    },
    /** Looks at the list, and reads what is counted for suspects that have worked here, or that nobody has objected to in time. */
    async beat(): Promise<void> {
      let heard: readonly string[] = [];
      const outcome = await link.ask(store.suspects, (list) => {
        heard = hear(list).filter((name) => worked.has(name));
      });
      if (outcome !== "delivered") return;
      await Promise.all([...new Set([...heard, ...due()])].slice(0, MAX_CHECKS).map(check));
      // Objections are not put off.
      await deliver();
    },
    clearAll(): void {
      queue.drop();
      for (const name of new Set([...reported.keys(), ...known.keys()])) clear(name);
    },
  };
}

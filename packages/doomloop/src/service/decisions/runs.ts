import { isDeepStrictEqual } from "node:util";
import type { Decision } from "../../core/decision.ts";
import { isDoomloopError } from "../../core/doomloop-error.ts";
import type { FleetMember } from "../../fleet/fleet-member.ts";
import { recordOf } from "../../transcripts/foreign-value.ts";
import { placesIn } from "../memory-share.ts";
import type { EventsRequest, SentEvent } from "./events-request.ts";
import { createLiveRun, type LiveRun, type Standing } from "./live-run.ts";
import type { Policies } from "./policies.ts";
import { Problem } from "./problem.ts";
import type { Questions } from "./questions.ts";
import type { WatchedStore } from "./run-store.ts";
import { createTurns, type Turns } from "./turns.ts";

export interface RunsOptions {
  readonly policies: Policies;
  readonly store?: WatchedStore | undefined;
  /**
   * At most so many runs are in memory.
   * @default 10000, or less where fewer fit into the memory that Node may use
   */
  readonly maxRuns?: number | undefined;
  /**
   * The memory that Node may use.
   * @default as V8 says, and at most four tenths of the memory that a container may use
   */
  readonly heapBytes?: number | undefined;
  /** Makes a run a worker of the service's fleet. */
  readonly join?: ((run: string) => FleetMember) | undefined;
  /** @default clients answer, if they ask for questions */
  readonly questions?: Questions | undefined;
  /** @default turns of its own */
  readonly turns?: Turns | undefined;
  now(): number;
  onFault(fault: unknown): void;
  /** Called with every decision on an event. */
  onDecision?(run: string, decision: Decision, event: SentEvent): void;
}

/** What is answered to events. */
export interface Observed {
  readonly decisions: readonly Decision[];
  /** What of the request does not hold, because the run began with something else, or what its host does wrong. */
  readonly notice?: string;
}

/** The runs of all clients. */
export type Runs = ReturnType<typeof createRuns>;

const SILENCE_MS = 3_600_000;
const MAX_RUNS = 10_000;
/** Its latest steps, if a model may be asked about them, take up to seven times as much. */
const PLACES_OF_RECORD = 7;
const PART_FOR_RUNS = 0.6;
/** A run that was told something is saved this often while it goes on, and whenever it is told something more. */
const SAVED_EVERY_MS = 3_000;

/** Keeps runs in memory. */
export function createRuns(options: RunsOptions) {
  const { policies, store, maxRuns = MAX_RUNS, join, questions, now, onFault, onDecision } = options;
  const { turns = createTurns() } = options;
  const places = options.maxRuns === undefined ? placesIn(PART_FOR_RUNS, options.heapBytes) : Number.POSITIVE_INFINITY;
  // In the order of the latest events.
  const live = new Map<string, LiveRun>();
  const saving = new Map<string, Promise<unknown>>();
  const savedAt = new Map<string, number>();
  const recorded = new Set<string>();
  /** What the host of a run does wrong, until it is told. */
  const mistakes = new Map<string, string>();
  let displaced = 0;

  const remove = (run: string): void => {
    for (const each of [live, savedAt, recorded, mistakes]) each.delete(run);
  };

  const isFull = (): boolean =>
    live.size > maxRuns || (live.size > 1 && live.size + PLACES_OF_RECORD * recorded.size > places);

  /** Puts a run behind all others. */
  const keep = (run: string, one: LiveRun): LiveRun => {
    live.delete(run);
    live.set(run, one);
    if (one.isRecorded) recorded.add(run);
    while (isFull()) {
      remove(live.keys().next().value!);
      displaced++;
    }
    return one;
  };

  /** The run, from memory or from the store. If what was saved cannot be read, it begins anew, as the request wants. */
  const open = async (run: string, request: Partial<EventsRequest> = {}): Promise<LiveRun | undefined> => {
    const text = live.has(run) ? undefined : await store?.load(run);
    return live.get(run) ?? (text === undefined ? undefined : begin(run, request, text));
  };

  /** The same, once nobody else is at work on it. */
  const openIdle = async (run: string, request: EventsRequest): Promise<LiveRun> => {
    for (;;) {
      const one = await open(run, request);
      const work = turns.underWay(run);
      if (work === undefined) return one ?? begin(run, request);
      await work;
    }
  };

  const begin = (run: string, { policy, options: own }: Partial<EventsRequest>, text?: string): LiveRun => {
    const start = { run, policy: policy ?? policies.usual, options: policies.optionsFor(policy, own) };
    const onRunFault = (fault: unknown): void => {
      if (isDoomloopError(fault) && fault.code === "misuse") mistakes.set(run, fault.message);
      onFault(fault);
    };
    const others = { questions, isAnswered: own?.questions !== undefined, now: now(), fleet: join?.(run) };
    return keep(run, createLiveRun({ ...start, ...others, onFault: onRunFault }, text));
  };

  /** What a run ignores of a request: what its policy or its beginning has settled. Throws a `Problem` for what no run could begin with. */
  const ignoredOf = ({ policy: kept, options: settled }: LiveRun, { policy, options: own = {} }: EventsRequest) => {
    policies.optionsFor(policy, own);
    const rules = { ...settled.rules, ...recordOf(own.rules) };
    const isKept = ([name, value]: [string, unknown]): boolean =>
      isDeepStrictEqual(name === "rules" ? rules : value, settled[name as keyof typeof settled] ?? {});
    const ignored = Object.entries(own).flatMap((one) => (isKept(one) ? [] : one[0]));
    if (policy !== undefined && policy !== kept) ignored.unshift("policy");
    if (ignored.length === 0) return [];
    return [`this run keeps what it began with, the policy ${JSON.stringify(kept)}; ignored: ${ignored.join(", ")}`];
  };

  /** Saves one after the other, so that the latest is what stays. Never rejects. */
  const save = (run: string, one: LiveRun): Promise<unknown> => {
    if (store === undefined) return Promise.resolve();
    savedAt.set(run, now());
    const saved = (saving.get(run) ?? Promise.resolve())
      .then(() => store.save(run, one.save(), SILENCE_MS))
      .catch(onFault)
      .finally(() => {
        if (saving.get(run) === saved) saving.delete(run);
      });
    saving.set(run, saved);
    return saved;
  };

  const judging = function* (run: string, one: LiveRun, events: readonly SentEvent[], decisions: Decision[]) {
    for (const [at, event] of events.entries()) {
      const decision = one.observe(event, now(), at === events.length - 1);
      decisions.push(decision);
      onDecision?.(run, decision, event);
      if (decisions.length < events.length) yield;
    }
  };

  const isDue = (run: string, isToldNow: boolean): boolean =>
    isToldNow || Math.abs(now() - (savedAt.get(run) ?? Number.NEGATIVE_INFINITY)) >= SAVED_EVERY_MS;

  return {
    /** Judges events of a run in order, and begins the run if it is new. Rejects with a `Problem` if its policy is not allowed. */
    async observe(run: string, request: EventsRequest): Promise<Observed> {
      const one = await openIdle(run, request);
      const ignored = ignoredOf(one, request);
      const decisions: Decision[] = [];
      await turns.work(run, judging(run, one, request.events, decisions));
      keep(run, one);
      // Nobody waits for it: what was not saved is counted too little, never twice.
      if (one.told && isDue(run, decisions.some(isNews))) void save(run, one);
      const notice = [...ignored, mistakes.get(run) ?? []].flat().join("; ");
      mistakes.delete(run);
      return { decisions, ...(notice !== "" && { notice }) };
    },
    standing: async (run: string): Promise<Standing | undefined> => (await open(run))?.standing(),
    /** Marks a loop as a false alarm. Returns its name; undefined if there is none. Rejects with a `Problem` if there is no such run. */
    async allow(run: string, loop: string | undefined): Promise<string | undefined> {
      const one = await open(run);
      if (one === undefined) throw new Problem(404, "there is no such run");
      const allowed = one.allow(loop);
      if (allowed !== undefined && one.told) void save(run, one);
      return allowed;
    },
    async forget(run: string): Promise<void> {
      await turns.underWay(run);
      remove(run);
      await saving.get(run);
      await store?.forget(run);
    },
    /** Forgets runs that were silent for too long. */
    tidy(): void {
      for (const [run, { lastAt }] of live) {
        if (now() - lastAt < SILENCE_MS) break;
        remove(run);
      }
    },
    /** Saves every run that was told something. */
    async saveAll(): Promise<void> {
      await Promise.all([...live].map(([run, one]) => one.told && save(run, one)));
    },
    get size() {
      return live.size;
    },
    get displaced() {
      return displaced;
    },
  };
}

function isNews(decision: Decision): boolean {
  return decision.action !== "continue" && !(decision.action === "stop" && decision.isAlreadyStopped === true);
}

import { isDeepStrictEqual } from "node:util";
import type { Decision } from "../../core/decision.ts";
import { DoomloopError, isDoomloopError } from "../../core/doomloop-error.ts";
import type { FleetMember } from "../../fleet/fleet-member.ts";
import { placesIn } from "../memory-share.ts";
import type { EventsRequest, SentEvent } from "./events-request.ts";
import { createLiveRun, type LiveRun, type Standing, savedBy } from "./live-run.ts";
import type { Policies, PolicyOptions } from "./policies.ts";
import { Problem } from "./problem.ts";
import type { Questions } from "./questions.ts";
import { createRunLoader, type RunStore, withinStoreTime } from "./run-store.ts";
import { createTurns, type Turns } from "./turns.ts";

export interface RunsOptions {
  readonly policies: Policies;
  readonly store?: RunStore | undefined;
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
  /**
   * The name of this service among those that share the store.
   * @default none: it is not noticed that another one saves the same runs
   */
  readonly replica?: string | undefined;
  now(): number;
  onFault(fault: unknown): void;
  /** Called once, with the first run whose events reach several services in turn. */
  onMisrouted?(run: string): void;
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
export interface Runs {
  /**
   * Judges events of a run in order, and begins the run if it is new. `by`: the service that has judged those before, if the client knows.
   * Rejects with a `Problem` if its policy is not allowed.
   */
  observe(run: string, request: EventsRequest, by?: string): Promise<Observed>;
  standing(run: string): Promise<Standing | undefined>;
  /** Marks a loop as a false alarm. Returns its name; undefined if there is none. Rejects with a `Problem` if there is no such run. */
  allow(run: string, loop: string | undefined): Promise<string | undefined>;
  forget(run: string): Promise<void>;
  /** Forgets runs that were silent for too long. */
  tidy(): void;
  /** Saves every run that was told something. */
  saveAll(): Promise<void>;
  readonly size: number;
  /** How many runs were forgotten because there were too many. */
  readonly displaced: number;
}

const SILENCE_MS = 3_600_000;
const MAX_RUNS = 10_000;
/** Its latest steps, if a model may be asked about them, take up to seven times as much. */
const PLACES_OF_RECORD = 7;
const PART_FOR_RUNS = 0.6;
/** A run that was told something is saved this often while it goes on, and whenever it is told something more. */
const SAVED_EVERY_MS = 3_000;
/** A run that another service has saved in between so often is misrouted. */
const MISROUTED = 3;
const REUSED =
  "an event has a seq that another event of this run had, so it was not judged: start with the time in microseconds and increase it with each event, or begin another run";

/** Keeps runs in memory. */
export function createRuns(options: RunsOptions): Runs {
  const { policies, store, maxRuns = MAX_RUNS, join, questions, now, onFault, onDecision } = options;
  const { turns = createTurns(), replica, onMisrouted } = options;
  const places = options.maxRuns === undefined ? placesIn(PART_FOR_RUNS, options.heapBytes) : Number.POSITIVE_INFINITY;
  // Both are in the order of the latest events. Who was told nothing is forgotten first, because nothing is lost with it but a count.
  const quiet = new Map<string, LiveRun>();
  const told = new Map<string, LiveRun>();
  const saving = new Map<string, Promise<void>>();
  const load = store && createRunLoader(store, onFault);
  const savedAt = new Map<string, number>();
  const recorded = new Set<string>();
  /** How often another service has saved a run between two saves of this one. */
  const overtaken = new Map<string, number>();
  /** What the host of a run does wrong, until it is told. */
  const mistakes = new Map<string, string>();
  let isMisrouted = false;
  let displaced = 0;

  const find = (run: string): LiveRun | undefined => told.get(run) ?? quiet.get(run);

  const remove = (run: string): void => {
    quiet.delete(run);
    told.delete(run);
    savedAt.delete(run);
    recorded.delete(run);
    overtaken.delete(run);
    mistakes.delete(run);
  };

  /** A run moves once when a service ends. One that comes back again and again is sent to several services in turn. */
  const noteWriter = (run: string, before: string | undefined): void => {
    const by = before === undefined ? undefined : savedBy(before);
    if (by === undefined || by === replica || isMisrouted) return;
    const times = (overtaken.get(run) ?? 0) + 1;
    overtaken.set(run, times);
    isMisrouted = times >= MISROUTED;
    if (isMisrouted) onMisrouted?.(run);
  };

  const isFull = (): boolean => {
    const size = quiet.size + told.size;
    return size > maxRuns || (size > 1 && size + PLACES_OF_RECORD * recorded.size > places);
  };

  /** Puts a run behind all others. */
  const keep = (run: string, live: LiveRun): void => {
    quiet.delete(run);
    told.delete(run);
    (live.told ? told : quiet).set(run, live);
    if (live.isRecorded) recorded.add(run);
    while (isFull()) {
      const [oldest] = (quiet.size > 0 ? quiet : told).keys();
      remove(oldest!);
      displaced++;
    }
  };

  /** The run, from memory or from the store. If what was saved cannot be read, it begins anew, as the request wants. */
  const open = async (run: string, request: Partial<EventsRequest> = {}): Promise<LiveRun | undefined> => {
    const live = find(run);
    if (live !== undefined || load === undefined) return live;
    const text = await load(run);
    return find(run) ?? (text === undefined ? undefined : begin(run, request, text));
  };

  /** The same, once nobody else is at work on it. */
  const openIdle = async (run: string, request: EventsRequest): Promise<LiveRun | undefined> => {
    for (;;) {
      const live = await open(run, request);
      const work = turns.underWay(run);
      if (work === undefined) return live;
      await work;
    }
  };

  const create = (run: string, { policy, options: own }: Partial<EventsRequest>, text?: string): LiveRun => {
    const start = { run, policy: policy ?? policies.usual, options: policies.optionsFor(policy, own) };
    const isAnswered = own?.questions !== undefined && !policies.refusedIn(own).includes("questions");
    const onRunFault = (fault: unknown): void => {
      if (isDoomloopError(fault) && fault.code === "misuse") mistakes.set(run, fault.message);
      onFault(fault);
    };
    let isNoted = false;
    const onReused = (): void => {
      if (!isNoted) onFault(new DoomloopError("misuse", REUSED));
      isNoted = true;
      mistakes.set(run, REUSED);
    };
    return createLiveRun(
      { ...start, questions, isAnswered, now: now(), fleet: join?.(run), onFault: onRunFault, onReused },
      text,
    );
  };

  const begin = (...how: Parameters<typeof create>): LiveRun => {
    const live = create(...how);
    keep(how[0], live);
    return live;
  };

  /** Goes on with what is in the store, if another service has judged events of the run since. Who has judged more events knows more. */
  const catchUp = async (run: string, live: LiveRun): Promise<void> => {
    const text = await load?.(run);
    if (text === undefined || find(run) !== live || turns.underWay(run) !== undefined) return;
    const saved = create(run, {}, text);
    if (saved.standing().events > live.standing().events) keep(run, saved);
  };

  /** What a run ignores of a request: what is not for clients to set, and what the run did not begin with. Throws a `Problem` for what no run could begin with. */
  const ignoredOf = (live: LiveRun, { policy, options: own = {} }: EventsRequest): readonly string[] => {
    const wanted = policies.optionsFor(policy, own);
    const isKept = (name: string): boolean =>
      isDeepStrictEqual(wanted[name as keyof PolicyOptions], live.options[name as keyof PolicyOptions]);
    const refused = policies.refusedIn(own);
    const ignored = Object.keys(own).filter((name) => !refused.includes(name) && !isKept(name));
    if (policy !== undefined && policy !== live.policy) ignored.unshift("policy");
    const kept = `the policy ${JSON.stringify(live.policy)}`;
    return [
      ...(refused.length > 0 ? [`options: clients may not set ${refused.join(", ")} here, so ${kept} decides`] : []),
      ...(ignored.length > 0 ? [`this run keeps what it began with, ${kept}; ignored: ${ignored.join(", ")}`] : []),
    ];
  };

  /** Saves one after the other, so that the latest is what stays. Never rejects. */
  const save = (run: string, live: LiveRun): Promise<void> => {
    if (store === undefined) return Promise.resolve();
    const isFirst = !savedAt.has(run);
    savedAt.set(run, now());
    const saved = (saving.get(run) ?? Promise.resolve())
      .then(() => withinStoreTime(store.save(run, live.save(replica), SILENCE_MS)))
      .then((before) => {
        if (!isFirst) noteWriter(run, before);
      })
      .catch(onFault)
      .finally(() => {
        if (saving.get(run) === saved) saving.delete(run);
      });
    saving.set(run, saved);
    return saved;
  };

  const judging = function* (run: string, live: LiveRun, events: readonly SentEvent[], decisions: Decision[]) {
    for (const event of events) {
      const decision = live.observe(event, now());
      decisions.push(decision);
      onDecision?.(run, decision, event);
      if (decisions.length < events.length) yield;
    }
  };

  const isDue = (run: string, isToldNow: boolean): boolean =>
    isToldNow || Math.abs(now() - (savedAt.get(run) ?? Number.NEGATIVE_INFINITY)) >= SAVED_EVERY_MS;

  return {
    async observe(run, request, by) {
      const here = find(run);
      let known = await openIdle(run, request);
      const isElsewhere = by === undefined ? known?.isBehind(request.events) : by !== replica;
      if (known !== undefined && known === here && isElsewhere) {
        await catchUp(run, known);
        known = await openIdle(run, request);
      }
      const live = known ?? begin(run, request);
      const ignored = ignoredOf(live, request);
      const decisions: Decision[] = [];
      await turns.work(run, judging(run, live, request.events, decisions));
      keep(run, live);
      // Nobody waits for it: what was not saved is counted too little, never twice.
      if (live.told && isDue(run, decisions.some(isNews))) void save(run, live);
      const notice = [...ignored, mistakes.get(run) ?? []].flat().join("; ");
      mistakes.delete(run);
      return { decisions, ...(notice !== "" && { notice }) };
    },
    standing: async (run) => (await open(run))?.standing(),
    async allow(run, loop) {
      const live = await open(run);
      if (live === undefined) throw new Problem(404, "there is no such run");
      const allowed = live.allow(loop);
      if (allowed !== undefined && live.told) void save(run, live);
      return allowed;
    },
    async forget(run) {
      await turns.underWay(run);
      remove(run);
      await saving.get(run);
      if (store !== undefined) await withinStoreTime(store.forget(run)).catch(onFault);
    },
    tidy() {
      for (const runs of [quiet, told]) {
        for (const [run, { lastAt }] of runs) {
          if (now() - lastAt < SILENCE_MS) break;
          remove(run);
        }
      }
    },
    async saveAll() {
      await Promise.all([...told].map(([run, live]) => save(run, live)));
    },
    get size() {
      return quiet.size + told.size;
    },
    get displaced() {
      return displaced;
    },
  };
}

function isNews(decision: Decision): boolean {
  return decision.action !== "continue" && !(decision.action === "stop" && decision.isAlreadyStopped === true);
}

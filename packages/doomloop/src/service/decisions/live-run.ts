import { addLatest } from "../../core/collections/bounded.ts";
import { CONTINUE, type Decision } from "../../core/decision.ts";
import type { AgentEvent, StateEvent } from "../../core/event.ts";
import type { Finding } from "../../core/finding.ts";
import type { Snapshot } from "../../core/snapshot.ts";
import type { GuardStats } from "../../core/stats.ts";
import { createConfiguredGuard } from "../../counting/configured-guard.ts";
import type { FleetMember } from "../../fleet/fleet-member.ts";
import { type LoopStop, loopStop } from "../../host/loop-stop.ts";
import { platform } from "../../platform.ts";
import { recordOf } from "../../transcripts/foreign-value.ts";
import type { SentEvent } from "./events-request.ts";
import { addJudged, createJudgedEvents, decisionOn, isOther, REMEMBERED } from "./judged-events.ts";
import { checkPolicy, type PolicyOptions } from "./policies.ts";
import { createQuestions, type Questions } from "./questions.ts";

/** What anybody may know about a run. */
export interface Standing {
  readonly run: string;
  readonly policy: string;
  /** How many events were judged. */
  readonly events: number;
  /** Milliseconds since 1970. */
  readonly begunAt: number;
  readonly lastAt: number;
  /** Whether the agent was ever told anything. */
  readonly told: boolean;
  /** Why the run is over, if it is. */
  readonly stop: LoopStop | null;
  readonly stats: GuardStats;
}

/** A run of some agent, anywhere. */
export interface LiveRun {
  readonly lastAt: number;
  readonly told: boolean;
  /** Whether its latest steps are in memory, to show them to a model that is asked. */
  readonly isRecorded: boolean;
  /** What it began with. */
  readonly policy: string;
  readonly options: PolicyOptions;
  /** Whether numbers are missing before these events: another service may have got them. Where events are not counted by one, nobody can tell. */
  isBehind(events: readonly SentEvent[]): boolean;
  /** Judges an event, unless it was judged before. */
  observe(event: SentEvent, now: number): Decision;
  /** Marks a loop of this run as a false alarm: the one that is named, or the latest. Returns its name; undefined if there is none. */
  allow(loop: string | undefined): string | undefined;
  standing(): Standing;
  /** The run as text, to go on in another process. `by`: the service that saves it. */
  save(by?: string): string;
}

/** Whether a text can be the name of a loop. */
export function isLoopName(text: string): boolean {
  return LOOP.test(text);
}

const LOOP = /^[0-9a-f]{32}$/;

/** How a run begins. */
export interface RunStart {
  readonly run: string;
  readonly policy: string;
  readonly options: PolicyOptions;
  readonly now: number;
  /** Its side of the fleet, if the service is in one. */
  readonly fleet?: FleetMember | undefined;
  /** @default the client answers, if its policy has questions */
  readonly questions?: Questions | undefined;
  /** The client has asked for questions, so it answers them. */
  readonly isAnswered?: boolean;
  onFault(fault: unknown): void;
  /** Called for each event that has the number of another one. It is not judged. */
  onReused?(): void;
}

/** A run at rest. It contains no arguments and no results. */
interface SavedRun {
  readonly format: typeof FORMAT;
  /** The service that has saved it. It stands near the beginning. */
  readonly by?: string;
  readonly policy: string;
  readonly options: PolicyOptions;
  /** The client answers its questions. */
  readonly isAnswered?: boolean;
  readonly begunAt: number;
  readonly events: number;
  readonly clock: Clock;
  readonly floor: number;
  readonly seen: readonly number[];
  readonly stop: LoopStop | null;
  /** The latest loops that it was told of, or asked about. */
  readonly loops?: readonly string[];
  readonly guard: Snapshot;
}

/** Whose clock the times of a run are from. They cannot be mixed. */
type Clock = "client" | "service";

const FORMAT = "doomloop-run-1";
/** So many of the latest loops can be allowed. A guard remembers as many that were. */
const MAX_LOOPS = 64;
/** So often, an agent that nobody could tell anything is told again before anything is refused. Then the service is too unsteady to wait for it. */
const MAX_EXCUSES = 3;

/** Begins a run, or goes on with one that was saved. What cannot be read is reported, and the run begins anew. */
export function createLiveRun(start: RunStart, text?: string): LiveRun {
  const saved = text === undefined ? undefined : readSaved(text, start.onFault);
  const { policy, options, isAnswered = false } = saved ?? start;
  const { run, questions = createQuestions() } = start;
  const terms = questions(options, isAnswered ? "answers" : "may");
  // Guards without options of their own share what is made of them.
  const own = { ...(start.fleet && { fleet: start.fleet }), ...(saved && { snapshot: saved.guard }) };
  const guard = terms.attach(createConfiguredGuard({ ...terms.options, ...own }, { ...platform, warn: start.onFault }));
  const begunAt = saved?.begunAt ?? start.now;
  let { events = 0, clock, stop = null }: Partial<SavedRun> = saved ?? {};
  const judged = createJudgedEvents(saved?.floor, saved?.seen);
  /** The numbers of the latest two events. */
  let [previous = Number.NaN, latestSeq = Number.NaN] = [...judged.seen.keys()].slice(-2);
  // Only a run that was told something is saved.
  let told = saved !== undefined;
  let lastAt = start.now;
  const loops = [...(saved?.loops ?? [])];
  let latest = loops.at(-1);
  let hasMissed = false;
  let excuses = MAX_EXCUSES;

  /** Notes that the client could not ask for a while. After that, an agent that was warned before hears new words first. */
  const afterOutage = (event: AgentEvent): AgentEvent => {
    if (event.type === "user") excuses = MAX_EXCUSES;
    if (event.untold === true) hasMissed ||= event.type === "result";
    else if (hasMissed && (event.type === "call" || event.type === "result")) {
      hasMissed = false;
      if (told && excuses-- > 0) return { ...event, unheard: true };
    }
    return event;
  };

  const judge = (event: AgentEvent, now: number): Decision => {
    if (event.type === "call" || event.type === "result") clock ??= typeof event.at === "number" ? "client" : "service";
    const isTimed = clock === "service" && (event.type === "call" || event.type === "result");
    // Two values, because the first one of a key is no change.
    if (isGap(event)) guard.observe({ ...event, value: `before ${events}` });
    const timed = isTimed ? { ...event, at: now } : event;
    const decision = guard.observe(isGap(event) ? { ...event, value: `after ${events}` } : afterOutage(timed));
    events++;
    for (const finding of [decision.question?.finding, decision.finding])
      if (finding !== undefined) addLatest(loops, finding.loop, MAX_LOOPS);
    latest = decision.finding?.loop ?? latest;
    told ||= decision.action !== "continue";
    const place = { run, callId: (event as { id?: string }).id };
    if (event.type === "user" || (event.type === "call" && decision.action !== "stop")) stop = null;
    stop ??= loopStop(decision, place) ?? null;
    return decision;
  };

  return {
    isRecorded: terms.isRecorded,
    policy,
    options,
    get lastAt() {
      return lastAt;
    },
    get told() {
      return told;
    },
    isBehind(events) {
      const next = events.find(({ seq }) => typeof seq === "number")?.seq;
      return typeof next === "number" && latestSeq === previous + 1 && next > latestSeq + 1;
    },
    observe(event, now) {
      const { seq } = event;
      // A clock that was set back must not look like time that runs backwards.
      lastAt = Math.max(lastAt, now);
      if (typeof seq !== "number") return judge(event, lastAt);
      const known = decisionOn(judged, seq);
      if (known !== undefined) {
        if (!isOther(judged, event, seq)) return known;
        start.onReused?.();
        return CONTINUE;
      }
      const decision = judge(event, lastAt);
      addJudged(judged, event, seq, decision);
      [previous, latestSeq] = [latestSeq, seq];
      return decision;
    },
    allow(loop = latest) {
      if (loop === undefined || !loops.includes(loop)) return undefined;
      guard.allow({ loop } as Finding);
      if (stop?.finding?.loop === loop) stop = null;
      return loop;
    },
    standing: () => ({ run, policy, events, begunAt, lastAt, told, stop, stats: guard.stats() }),
    save: (by) =>
      JSON.stringify({
        ...{
          format: FORMAT,
          ...(by !== undefined && { by }),
          policy,
          options,
          ...(isAnswered && { isAnswered }),
          begunAt,
          events,
          clock: clock ?? "service",
          floor: judged.floor,
        },
        ...{ seen: [...judged.seen.keys()], stop, loops, guard: guard.snapshot() },
      } satisfies SavedRun),
  };
}

/** How much of a saved run is needed to tell who has saved it. */
export const START_OF_SAVED = 100;

/** The service that has saved a run, from the beginning of its text. */
export function savedBy(start: string): string | undefined {
  return /^\{"format":"[\w-]{1,20}","by":"([\w-]{1,40})"/.exec(start)?.[1];
}

/** The client has lost events. What comes next must not be taken for a repeat: anything may have happened in between. */
function isGap(event: AgentEvent): event is StateEvent {
  return event.type === "state" && event.key === "missed-events";
}

function areLoops(loops: readonly unknown[]): boolean {
  return (
    Array.isArray(loops) &&
    loops.length <= MAX_LOOPS &&
    loops.every((loop) => typeof loop === "string" && isLoopName(loop))
  );
}

/** Whoever can write into the store could have written it, so it is read with care. A guard checks its snapshot itself. */
function readSaved(text: string, onFault: (fault: unknown) => void): SavedRun | undefined {
  try {
    const saved = recordOf(JSON.parse(text)) as Partial<SavedRun> | undefined;
    const isWhole =
      saved?.format === FORMAT &&
      typeof saved.policy === "string" &&
      [saved.begunAt, saved.events, saved.floor].every(Number.isSafeInteger) &&
      (saved.clock === "client" || saved.clock === "service") &&
      Array.isArray(saved.seen) &&
      saved.seen.length <= REMEMBERED &&
      saved.seen.every(Number.isSafeInteger) &&
      areLoops(saved.loops ?? []);
    if (!isWhole) throw new Error("a run that was saved is required");
    // A service of another version may have saved options that this one does not know.
    checkPolicy(saved.options, (words) => new Error(`a run that was saved: ${words}`));
    return saved as SavedRun;
  } catch (fault) {
    onFault(fault);
    return undefined;
  }
}

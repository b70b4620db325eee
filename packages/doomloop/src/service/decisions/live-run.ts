import { addLatest, setRecent } from "../../core/collections/bounded.ts";
import { CONTINUE, type Decision } from "../../core/decision.ts";
import { DoomloopError } from "../../core/doomloop-error.ts";
import type { AgentEvent, StateEvent } from "../../core/event.ts";
import type { Finding } from "../../core/finding.ts";
import { type Digest, digestOfAll } from "../../core/identity/digest.ts";
import type { Snapshot } from "../../core/snapshot.ts";
import type { GuardStats } from "../../core/stats.ts";
import { createConfiguredGuard } from "../../counting/configured-guard.ts";
import type { FleetMember } from "../../fleet/fleet-member.ts";
import { type LoopStop, loopStop } from "../../host/loop-stop.ts";
import { platform } from "../../platform.ts";
import { listOf, recordOf } from "../../transcripts/foreign-value.ts";
import type { SentEvent } from "./events-request.ts";
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
export type LiveRun = ReturnType<typeof createLiveRun>;

/** Whether a text can be the name of a loop. */
export function isLoopName(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}

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
}

/** A run at rest. It contains no arguments and no results. */
interface SavedRun {
  readonly format: typeof FORMAT;
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
/** So many of the latest numbered events are answered again if they are sent again. Those before them are answered with `continue`. */
const REMEMBERED = 64;
const REUSED =
  "an event has a seq that this run has seen, so it was not judged: start with the time in microseconds and increase it with each event, or begin another run";
/** So often, an agent that nobody could tell anything is told again before anything is refused. Then the service is too unsteady to wait for it. */
const MAX_EXCUSES = 3;

/** Begins a run, or goes on with one that was saved. What cannot be read is reported, and the run begins anew. */
export function createLiveRun(start: RunStart, text?: string) {
  const saved = text === undefined ? undefined : readSaved(text, start.onFault);
  const { policy, options, isAnswered = false } = saved ?? start;
  const { run, questions = createQuestions() } = start;
  const terms = questions(options, isAnswered ? "answers" : "may");
  // Guards without options of their own share what is made of them.
  const own = { ...(start.fleet && { fleet: start.fleet }), ...(saved && { snapshot: saved.guard }) };
  const guard = terms.attach(createConfiguredGuard({ ...terms.options, ...own }, { ...platform, warn: start.onFault }));
  const begunAt = saved?.begunAt ?? start.now;
  let { events = 0, clock, stop = null }: Partial<SavedRun> = saved ?? {};
  /** By their numbers. Of those that another process has judged, nothing else is known. */
  const seen = new Map<number, { readonly print?: Digest; readonly decision: Decision }>();
  for (const seq of saved?.seen ?? []) seen.set(seq, { decision: CONTINUE });
  /** Numbers up to this one are no longer told apart. */
  let floor = saved?.floor ?? -1;
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
    /** Whether its latest steps are in memory, to show them to a model that is asked. */
    isRecorded: terms.isRecorded,
    /** What it began with. */
    policy,
    options,
    get lastAt() {
      return lastAt;
    },
    get told() {
      return told;
    },
    /** Judges an event, unless it was judged before. `isLast`: of its request. */
    observe(event: SentEvent, now: number, isLast = false): Decision {
      const { seq } = event;
      // A clock that was set back must not look like time that runs backwards.
      lastAt = Math.max(lastAt, now);
      if (typeof seq !== "number") return judge(event, lastAt);
      const print = printOf(event);
      const known = seen.get(seq);
      if (known !== undefined || seq <= floor) {
        const { print: before = print, decision = CONTINUE } = known ?? {};
        // A request that is sent again ends with an event that is remembered. A client that starts over with low numbers shows here.
        if (before === print && (known !== undefined || !isLast)) return decision;
        start.onFault(new DoomloopError("misuse", REUSED));
        return CONTINUE;
      }
      const decision = judge(event, lastAt);
      if (seen.size === REMEMBERED) floor = Math.max(floor, seen.keys().next().value!);
      setRecent(seen, seq, { print, decision }, REMEMBERED);
      return decision;
    },
    /** Marks a loop of this run as a false alarm: the one that is named, or the latest. Returns its name; undefined if there is none. */
    allow(loop = latest): string | undefined {
      if (loop === undefined || !loops.includes(loop)) return undefined;
      guard.allow({ loop } as Finding);
      if (stop?.finding?.loop === loop) stop = null;
      return loop;
    },
    standing: (): Standing => ({ run, policy, events, begunAt, lastAt, told, stop, stats: guard.stats() }),
    /** The run as text, to go on in another process. */
    save: (): string =>
      JSON.stringify({
        ...{ format: FORMAT, policy, options, ...(isAnswered && { isAnswered }), begunAt, events, floor },
        ...{ clock: clock ?? "service", seen: [...seen.keys()], stop, loops, guard: guard.snapshot() },
      } satisfies SavedRun),
  };
}

/** What a client may change when it sends an event again. */
const MAY_CHANGE = new Set(["at", "untold", "unheard", "meta"]);
/** So much of a text is enough to tell events apart that have nothing to do with each other. */
const HEAD = 64;

/** Tells an event from others with the same number. */
function printOf(event: SentEvent): Digest {
  const told = Object.entries(event).filter(([name, value]) => !MAY_CHANGE.has(name) && typeof value !== "object");
  return digestOfAll(...told.flatMap(([name, value]) => [name, String(value).slice(0, HEAD)]));
}

/** The client has lost events. What comes next must not be taken for a repeat: anything may have happened in between. */
function isGap(event: AgentEvent): event is StateEvent {
  return event.type === "state" && event.key === "missed-events";
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
      Array.isArray(saved.loops ?? []) &&
      listOf(saved.loops).length <= MAX_LOOPS &&
      listOf(saved.loops).every((loop) => typeof loop === "string" && isLoopName(loop));
    if (!isWhole) throw new Error("a run that was saved is required");
    // A service of another version may have saved options that this one does not know.
    checkPolicy(saved.options, (words) => new Error(`a run that was saved: ${words}`));
    return saved as SavedRun;
  } catch (fault) {
    onFault(fault);
    return undefined;
  }
}

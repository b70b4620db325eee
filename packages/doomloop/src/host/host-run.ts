import { isOldNews } from "../core/decision.ts";
import { safely } from "../core/faults.ts";
import { wordingBy } from "../core/messages/wording.ts";
import {
  type Action,
  type AgentEvent,
  type Decision,
  DoomloopError,
  type Finding,
  type Guard,
  loopStop,
} from "../index.ts";
import type { HostAbilities } from "./abilities.ts";
import { createCallNames, type SavedNames, withoutId } from "./call-names.ts";
import { type CarriedOut, carryOut, type Moment } from "./carry-out.ts";
import { createDeadEnds } from "./dead-ends.ts";
import type { CallAnswer, HostCall, HostResult, Recalled } from "./host-call.ts";
import type { HostOptions, LoopStop } from "./host-options.ts";
import { createLateResults } from "./late-results.ts";
import { createProbes } from "./probes.ts";
import { createQuotes } from "./quotes.ts";
import { createSafely } from "./safely.ts";
import { createWords, type SavedWords } from "./words.ts";

export type { CallAnswer, HostCall, HostResult, Recalled, RefusedCall } from "./host-call.ts";

/**
 * One run of a host, as its adapter sees it: what happened goes in, what to do comes out, within what the host can do.
 *
 * Nothing here throws. A fault, ours or of a callback, is told to `onFault` once and means: as if we were absent.
 */
export interface HostRun {
  /** Before a call runs. A call that is not run is also observed as answered: its result need not be reported. */
  call(call: HostCall): CallAnswer;
  /** Whether {@link HostRun.call} would refuse this call now. Nothing is noted; the guard may still decide otherwise. */
  wouldRefuse(call: HostCall): boolean;
  /** After a call ran. Returns the words to add to this result; for `nudge: "message"` they wait in {@link HostRun.words}. */
  result(result: HostResult): string | undefined;
  /** A call that whoever made it gave up, or that never began: neither a failure nor a repeat. Words for it wait for the next result. */
  abandon(id: string): void;
  /** A call that the host did not let us see before it ran. It cannot be refused; words about it wait for the next result. */
  past(call: Omit<HostCall, "hasRun"> & Omit<HostResult, "id" | "isLate" | "isRefusal">): void;
  /** What is told within `read` happened at a time that nobody knows, and was answered then, or is to be answered now. */
  recall(how: Recalled, read: () => void): void;
  /** A model answer begins. A host that tells of one tells of all. */
  round(): void;
  /** The user spoke. */
  user(text?: string): void;
  /** The agent answered without a call; with `partial`, a streamed piece of any answer, or the words beside a call. */
  text(text: string, options?: { readonly partial?: boolean }): void;
  /** The agent thought, in a whole or in pieces. */
  reasoning(text: string): void;
  /** The conversation was compacted. */
  compaction(): void;
  /** Keeps words that could not be added where they belong: they come with the next result or message. */
  hold(words: string): void;
  /** Takes the words that wait for a message, if there are any. */
  words(): string | undefined;
  /** The end of the run, once it was decided. Stays until {@link HostRun.user}. */
  stopped(): LoopStop | undefined;
  /** What the run remembers beside its guard, for hosts that are a process for each event. */
  save(): SavedHostRun;
}

/** A run at rest, without its guard: plain data. */
export interface SavedHostRun {
  readonly words: SavedWords;
  readonly names: SavedNames;
  readonly refused: readonly string[];
  readonly stop: LoopStop | undefined;
  readonly findings: readonly Finding[];
  /** When it was put to rest: results that are heard after that had come by then. */
  readonly at?: number;
}

export interface HostRunSettings {
  readonly guard: Pick<Guard, "observe"> & Partial<Pick<Guard, "peek">>;
  readonly abilities: HostAbilities;
  readonly options: HostOptions;
  /** The host's key of the run. */
  readonly run?: string | undefined;
  /**
   * A clock that does not run backwards, in milliseconds: the guard measures pauses with it, and how long a loop goes on.
   * @default the time of day at the start of the process, and what has passed since: two processes of one run agree on it
   */
  readonly now?: () => number;
  /** A run to go on with. */
  readonly saved?: SavedHostRun | undefined;
  /** Told of every fault; it is for whoever made the runs to tell of the first one only. */
  readonly reportFault: (fault: unknown) => void;
}

const MAX_REFUSED = 64;
const NO_WORDS = "[doomloop] This call was not run.";

/** Wraps a guard for one run of a host. */
export function createHostRun(settings: HostRunSettings): HostRun {
  const { guard, abilities, options, saved, reportFault, now = steadyClock } = settings;
  const reading = createSafely(reportFault);
  const wording = wordingBy(options.messages, reportFault);
  const words = createWords(saved?.words);
  const names = createCallNames(saved?.names);
  const quotes = createQuotes(options.quote === true);
  const probes = createProbes(settings, (event) => void guard.observe(event));
  const late = createLateResults(saved?.at);
  const deadEnds = createDeadEnds(saved?.findings);
  const refused = new Set(saved?.refused);
  const downgraded = new Set<string>();
  let stop = saved?.stop;
  let recalled: Recalled | undefined;
  /** Whether the time of the latest result is known: without it, nobody knows whether the next call comes after a pause. */
  let hasClock = true;

  const tell = <Value>(callback: ((value: Value) => unknown) | undefined, value: Value): void =>
    void safely(() => callback?.(value), reportFault);

  const tellDowngrade = (decision: Decision, done: CarriedOut["action"]): void => {
    const name = `${decision.action} ${done}`;
    if (decision.action === done || downgraded.has(name) || isOldNews(decision) || recalled === "told") return;
    downgraded.add(name);
    tell(options.onDowngrade, { decided: decision.action, done, decision });
  };

  const end = (decision: Decision, callId: string | undefined): void => {
    stop ??= told(loopStop(decision, { run: settings.run, callId, findings: deadEnds.list() }));
  };

  const told = (ended: LoopStop | undefined): LoopStop | undefined => {
    if (ended !== undefined && recalled !== "told") tell(options.onStop, ended);
    return ended;
  };

  const observe = (event: AgentEvent, moment: Moment, callId?: string): CarriedOut => {
    const decision = guard.observe(recalled === "untold" ? { ...event, untold: true } : event);
    const done = carryOut(decision, abilities, moment, wording);
    if (done.action !== "continue" && decision.finding !== undefined) deadEnds.note(decision.finding);
    tellDowngrade(decision, done.action);
    if (isEnd(done.action)) end(decision, callId);
    return done;
  };

  /** Words that the host has not put anywhere itself. */
  const undelivered = (text: string | undefined): string | undefined => {
    if (!text) return undefined;
    const isDelivered: unknown = safely(() => options.deliver?.(text, settings.run), reportFault);
    if (isDelivered instanceof Promise)
      reportFault(new DoomloopError("misuse", "deliver: an answer at once is required, got a promise"));
    return isDelivered === true ? undefined : text;
  };

  const timeOfResult = (at: number | undefined): number | undefined => {
    hasClock = recalled === undefined;
    return hasClock ? at : undefined;
  };

  /** Observes what is neither call nor result: its words wait, because there is nothing to put them into. */
  const note = (event: AgentEvent, callId?: string): void =>
    reading(undefined, () => {
      const { action, message } = observe(event, "result", callId);
      if (action === "nudge") words.hold(message);
    });

  /** A host that reports the answer of a call that is not run is not heard. */
  const passOver = (id: string): void => {
    refused.add(id);
    if (refused.size > MAX_REFUSED) refused.delete(refused.keys().next().value!);
  };

  /** A call that is not run is answered at once, in the guard's eyes. */
  const refuse = (id: string, message: string): void => {
    passOver(id);
    guard.observe({ type: "result", id, output: message, synthetic: true, at: hasClock ? now() : undefined });
  };

  /** A guard that starts over has forgotten the run; what its host still has under way is no part of the next. */
  const holdUp = (id: string, { message, explanation }: LoopStop): CallAnswer => {
    passOver(id);
    return { action: "stop", decided: "restart", id, message, explanation };
  };

  return {
    call({ id: hostId, tool, args, readOnly, hasRun }) {
      const id = names.give(hostId);
      return reading<CallAnswer>({ action: "run", id }, () => {
        refused.delete(id);
        if (stop?.action === "restart") return holdUp(id, stop);
        if (recalled === undefined) probes.beforeCall();
        quotes.note(id, args);
        const madeAt = now();
        // A call that is seen with its result tells nothing of how long it took.
        if (hasRun !== true) late.noteCall(id, { tool, args }, madeAt);
        const at = hasClock ? madeAt : undefined;
        const moment = hasRun === true ? "result" : "call";
        const done = observe({ type: "call", id, tool, args, readOnly, at }, moment, hostId);
        if (done.action === "nudge") words.holdFor(id, words.join(done.message, quotes.take(id)));
        const isOver = isEnd(done.action);
        if ((done.action !== "block" && !isOver) || hasRun === true) return { action: "run", id };
        const waiting = abilities.nudge === "result" ? words.take() : undefined;
        const message = words.join(waiting, done.message ?? NO_WORDS, isOver ? undefined : quotes.take(id));
        refuse(id, message);
        const action = isOver ? "stop" : "block";
        return { action, decided: done.decided, id, message, explanation: done.explanation };
      });
    },
    wouldRefuse({ tool, args, readOnly }) {
      return reading(false, () => {
        if (stop !== undefined) return true;
        const decision = guard.peek?.({ type: "call", id: "", tool, args, readOnly, at: hasClock ? now() : undefined });
        if (decision === undefined) return false;
        const { action } = carryOut(decision, abilities, "call");
        return action === "block" || isEnd(action);
      });
    },
    result({ id: given, output, error, isLate, isRefusal }) {
      return reading<string | undefined>(undefined, () => {
        const id = names.take(given);
        if (refused.delete(id)) return undefined;
        const at = timeOfResult(isLate === true ? late.timeOf(id, now()) : now());
        const synthetic = isRefusal || undefined;
        const heard = { output: withoutId(output, given), error, synthetic };
        const done = observe({ type: "result", id, ...heard, at }, "result", given);
        if (recalled === undefined) probes.afterResult();
        const said = done.action === "nudge" ? words.join(done.message, quotes.take(id)) : undefined;
        const own = words.join(words.takeFor(id), said);
        if (abilities.nudge === "result") return undelivered(words.join(words.take(), own));
        words.hold(own);
        return undefined;
      });
    },
    abandon: (given) =>
      reading(undefined, () => {
        const id = names.take(given);
        if (refused.delete(id)) return;
        words.hold(words.takeFor(id));
        guard.observe({ type: "result", id, cancelled: true, at: now() });
      }),
    past({ id: hostId, tool, args, readOnly, output, error }) {
      const id = names.give(hostId);
      names.take(id);
      note({ type: "call", id, tool, args, readOnly, at: hasClock ? now() : undefined }, hostId);
      note({ type: "result", id, output, error, at: timeOfResult(now()) }, hostId);
    },
    recall(how, read) {
      recalled = how;
      hasClock = false;
      probes.recall();
      try {
        read();
      } finally {
        recalled = undefined;
      }
      if (how === "told") words.take();
    },
    round() {
      names.beginAnswer();
      note({ type: "round" });
    },
    user(text) {
      // What led nowhere before a restart is good to know after the next one, too.
      if (stop?.action !== "restart") deadEnds.forget();
      stop = undefined;
      // They are about what the user has read, and has gone on from.
      words.take();
      names.beginAnswer();
      note({ type: "user", text });
    },
    text: (text, { partial } = {}) => note({ type: "text", text, partial }),
    reasoning: (text) => note({ type: "reasoning", text }),
    compaction: () => note({ type: "compaction" }),
    hold: (text) => words.hold(text),
    words: () => undelivered(words.take()),
    stopped: () => stop,
    save: () => ({
      words: words.save(),
      names: names.save(),
      refused: [...refused],
      stop,
      findings: deadEnds.list(),
      at: now(),
    }),
  };
}

function isEnd(action: Action): boolean {
  return action === "stop" || action === "restart";
}

function steadyClock(): number {
  return performance.timeOrigin + performance.now();
}

import { setRecent } from "../core/collections/bounded.ts";
import type { Action } from "../core/decision.ts";
import { safely } from "../core/faults.ts";
import { NOT_RUN, wordingBy } from "../core/messages/wording.ts";
import { type AgentEvent, type Decision, DoomloopError, type Finding, type LoopStop, loopStop } from "../index.ts";
import { type DecidedAt, type FeasibleDecision, withinAbilities } from "./abilities.ts";
import { createCallNames, withoutId } from "./call-names.ts";
import { sinceEpoch } from "./clock.ts";
import type { CallAnswer, HostRun, HostRunSettings, Recalled } from "./host-run.ts";
import { createLateResults } from "./late-results.ts";
import { isOldNews } from "./loop-stop.ts";
import { createPendingWords } from "./pending-words.ts";
import { createProbes } from "./probes.ts";
import { createQuotes } from "./quotes.ts";
import { createWithFallback } from "./with-fallback.ts";

const MAX_REFUSED = 64;

/** Wraps a guard for one run of a host. */
export function createHostRun(settings: HostRunSettings): HostRun {
  const { guard, abilities, options, saved, reportFault, now = sinceEpoch } = settings;
  const withFallback = createWithFallback(reportFault);
  const wording = wordingBy(options.messages, reportFault);
  const words = createPendingWords(saved?.words);
  const names = createCallNames(saved?.names);
  const quotes = createQuotes(options.quote === true);
  const probes = createProbes(settings, (event) => void guard.observe(event));
  const late = createLateResults(saved?.at);
  const loops = createReportedLoops(saved?.findings);
  const refused = new Set(saved?.refused);
  const downgraded = new Set<string>();
  let stop = saved?.stop;
  let recalled: Recalled | undefined;
  /** The turn has just begun, and nobody has said what the user asked for. */
  let isRequestDue = saved === undefined;
  /** Whether the time of the latest result is known. If it is not, we cannot tell whether the next call comes after a pause. */
  let hasClock = true;

  const tell = <Value>(callback: ((value: Value) => unknown) | undefined, value: Value): void =>
    void safely(() => callback?.(value), reportFault);

  const tellDowngrade = (decision: Decision, done: Action): void => {
    const name = `${decision.action} ${done}`;
    if (decision.action === done || downgraded.has(name) || isOldNews(decision) || recalled === "told") return;
    downgraded.add(name);
    tell(options.onDowngrade, { decided: decision.action, done, decision });
  };

  const endIn = (decision: Decision, callId: string | undefined): LoopStop | undefined =>
    loopStop(decision, { run: settings.run, callId, findings: loops.list() });

  const told = (ended: LoopStop | undefined): LoopStop | undefined => {
    if (ended !== undefined && recalled !== "told") tell(options.onStop, ended);
    return ended;
  };

  const observe = (event: AgentEvent, decidedAt: DecidedAt, callId?: string): FeasibleDecision => {
    const decision = guard.observe(recalled === "untold" ? { ...event, untold: true } : event);
    const done = withinAbilities(decision, abilities, decidedAt, wording);
    if (done.action !== "continue" && decision.finding !== undefined) loops.note(decision.finding);
    tellDowngrade(decision, done.action);
    if (isEnd(done.action)) stop ??= told(endIn(decision, callId));
    return done;
  };

  /** The words, unless the host has delivered them itself. */
  const undelivered = (text: string | undefined): string | undefined => {
    if (!text) return undefined;
    const isDelivered: unknown = safely(() => options.deliver?.(text, settings.run), reportFault);
    if (isDelivered instanceof Promise)
      reportFault(new DoomloopError("misuse", "deliver: a synchronous answer is required, got a promise"));
    return isDelivered === true ? undefined : text;
  };

  const timeOfResult = (at: number | undefined): number | undefined => {
    hasClock = recalled === undefined;
    return hasClock ? at : undefined;
  };

  /** Observes an event that is neither a call nor a result. Its words are held, because there is nothing to append them to. */
  const note = (event: AgentEvent, callId?: string): void =>
    withFallback(undefined, () => {
      const { action, message } = observe(event, "result", callId);
      if (action === "nudge") words.hold(message);
    });

  /** If the host reports the answer to a call that was not run, that report is ignored. */
  const ignoreResult = (id: string): void => {
    refused.add(id);
    if (refused.size > MAX_REFUSED) refused.delete(refused.keys().next().value!);
  };

  /** For the guard, a call that is not run is answered at once. */
  const refuse = (id: string, message: string): void => {
    ignoreResult(id);
    guard.observe({ type: "result", id, output: message, synthetic: true, at: hasClock ? now() : undefined });
  };

  /** After a restart the guard has forgotten the run. Calls that the host is still making do not belong to the next attempt. */
  const refuseUntilRestart = (id: string, ended: LoopStop): CallAnswer => {
    ignoreResult(id);
    return { action: "stop", stop: ended, id, message: ended.message, explanation: ended.explanation };
  };

  return {
    call({ id: hostId, tool, args, readOnly, hasRun }) {
      const id = names.give(hostId);
      return withFallback<CallAnswer>({ action: "run", id }, () => {
        refused.delete(id);
        isRequestDue = false;
        if (stop?.action === "restart") return refuseUntilRestart(id, stop);
        if (recalled === undefined) probes.beforeCall();
        quotes.note(id, tool, args);
        const madeAt = now();
        // A call that is reported with its result does not show how long it took.
        if (hasRun !== true) late.noteCall(id, { tool, args }, madeAt);
        const at = hasClock ? madeAt : undefined;
        const decidedAt = hasRun === true ? "result" : "call";
        const done = observe({ type: "call", id, tool, args, readOnly, at }, decidedAt, hostId);
        if (done.action === "nudge") words.holdFor(id, words.join(done.message, quotes.for(id, done.finding)));
        const isOver = isEnd(done.action);
        if ((done.action !== "block" && !isOver) || hasRun === true) return { action: "run", id };
        const held = abilities.nudge === "result" ? words.take() : undefined;
        const message = words.join(held, done.message ?? NOT_RUN, isOver ? undefined : quotes.for(id, done.finding));
        refuse(id, message);
        const action = isOver ? "stop" : "block";
        const ended = isOver ? stop : endIn(done.decision, hostId);
        return { action, stop: ended, id, message, explanation: done.explanation };
      });
    },
    wouldRefuse({ tool, args, readOnly }) {
      return withFallback(false, () => {
        if (stop !== undefined) return true;
        const decision = guard.peek?.({ type: "call", id: "", tool, args, readOnly, at: hasClock ? now() : undefined });
        if (decision === undefined) return false;
        const { action } = withinAbilities(decision, abilities, "call");
        return action === "block" || isEnd(action);
      });
    },
    result({ id: given, output, error, isLate, isRefusal }) {
      return withFallback<string | undefined>(undefined, () => {
        const id = names.take(given);
        if (refused.delete(id)) return undefined;
        const at = timeOfResult(isLate === true ? late.timeOf(id, now()) : now());
        const synthetic = isRefusal || undefined;
        const observed = { output: withoutId(output, given), error, synthetic };
        const done = observe({ type: "result", id, ...observed, at }, "result", given);
        if (recalled === undefined) probes.afterResult();
        const said = done.action === "nudge" ? words.join(done.message, quotes.for(id, done.finding)) : undefined;
        const own = words.join(words.takeFor(id), said);
        if (abilities.nudge === "result") return undelivered(words.join(words.take(), own));
        words.hold(own);
        return undefined;
      });
    },
    abandon: (given) =>
      withFallback(undefined, () => {
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
      // After another restart, the agent must still know what led nowhere before this one.
      if (stop?.action !== "restart") loops.forget();
      stop = undefined;
      // They are about something that the user has already seen and moved on from.
      words.take();
      names.beginAnswer();
      isRequestDue = text === undefined;
      note({ type: "user", text });
    },
    asked: (read) =>
      withFallback(undefined, () => {
        const text = isRequestDue || guard.hearRequest ? read() : undefined;
        if (!text) return;
        guard.hearRequest?.(text);
        if (!isRequestDue) return;
        isRequestDue = false;
        note({ type: "user", text });
      }),
    text: (text, { partial } = {}) =>
      note({ type: "text", text, partial, at: partial === true || !hasClock ? undefined : now() }),
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
      findings: loops.list(),
      at: now(),
    }),
  };
}

function isEnd(action: Action): boolean {
  return action === "stop" || action === "restart";
}

/** The loops that the agent was told about. After a restart, the agent must know them. */
interface ReportedLoops {
  note(finding: Finding): void;
  forget(): void;
  /** Each loop once, with its latest count. */
  list(): readonly Finding[];
}

const MAX_LOOPS = 8;
const MAX_STEPS = 8;

/** Creates a list of loops: empty, or with those that were saved. When it is full, the loop seen longest ago is dropped. */
function createReportedLoops(saved: readonly Finding[] = []): ReportedLoops {
  const byLoop = new Map(saved.map((finding) => [finding.loop, finding]));
  return {
    note(finding) {
      setRecent(byLoop, finding.loop, { ...finding, steps: finding.steps.slice(-MAX_STEPS) }, MAX_LOOPS);
    },
    forget: () => byLoop.clear(),
    list: () => [...byLoop.values()],
  };
}

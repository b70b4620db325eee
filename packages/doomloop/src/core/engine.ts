import { type Answer, FIRST_WORD, LAST_WORD, THE_END, type Verdict } from "./answer.ts";
import { type Action, CONTINUE, type Decision, decisionOn, leftUndone, stillStopped } from "./decision.ts";
import type { AgentEvent, CallEvent } from "./event.ts";
import type { TellMisuse } from "./faults.ts";
import type { Finding } from "./finding.ts";
import type { FleetMode, FleetView } from "./fleet-view.ts";
import { allowLoop, createMemory, type GuardMemory } from "./guard-memory.ts";
import type { Platform } from "./identity/read-object.ts";
import type { Judge, JudgeKind, JudgeTerms } from "./judge.ts";
import { type Judged, judgedCall, NOT_COUNTED } from "./judged.ts";
import { wordingBy } from "./messages/wording.ts";
import type { ResolvedOptions } from "./options.ts";
import { createNeverAgain } from "./policy/never-again.ts";
import { createToolRules } from "./policy/tool-rules.ts";
import { MAX_OPEN } from "./reading/open-calls.ts";
import { createRunMemory, type OpenCall, type RunMemory } from "./reading/run-memory.ts";
import { afterGap, createRun, type EventEffect, type Run } from "./run.ts";
import { noteFinding, statsOf } from "./stats.ts";

/** The flow from an event to a decision. It may throw if the host's code does; the guard catches that. */
export type Engine = ReturnType<typeof createEngine>;

export interface EngineParts {
  readonly options: ResolvedOptions;
  readonly judge: JudgeKind;
  readonly platform: Platform;
  readonly fleet: FleetView | undefined;
  readonly onFault: (fault: unknown) => void;
  readonly tellMisuse: TellMisuse;
}

/** Builds the flow, with an empty memory or a saved one. Throws for invalid options. */
export function createEngine(parts: EngineParts, saved?: GuardMemory) {
  const { options, platform, fleet, onFault, tellMisuse } = parts;
  const audience = { ...options, wording: wordingBy(options.messages, onFault) };
  const ruleOf = createToolRules(options.rules, onFault, tellMisuse);
  const memory = saved ?? createMemory(parts.judge.createMemory());
  const { tally, nudges, allowed } = memory;
  const never = createNeverAgain({ ruleOf, done: memory.done, tellMisuse });
  const runOptions = {
    ...options,
    ruleOf,
    platform,
    tellMisuse,
    fleet,
    needsStrict: parts.judge.needsStrict,
  };
  let run: Run;
  let judge: Judge;
  let latestCall: OpenCall | undefined;
  let latestFinding: Finding | undefined;
  let shown: Finding | undefined;
  let judged: Judged | undefined;
  /** How far the fleet lets this guard act, asked at each event; `untold`: the event is from a record, and nothing was said at it. */
  let mode: FleetMode | "untold" = "on";

  const terms: JudgeTerms = {
    guard: memory,
    platform,
    ruleOf,
    isHeard: () => mode === "on" || mode === "untold",
    isUntold: () => mode === "untold",
    isConfirmed: (each) => fleet?.confirms(each) ?? false,
  };

  const begin = (): void => {
    run = createRun(runOptions, memory.run);
    judge = parts.judge.create(memory.judge, terms);
  };
  begin();

  /** Forgets what speaks for a loop. */
  const forget = (state: RunMemory): void => {
    memory.run = state;
    memory.judge = parts.judge.createMemory();
    nudges.isPending = false;
    memory.stopped = undefined;
    begin();
  };

  const startOver = (): void => {
    never.lose(run.memory.open.filter((open) => open !== latestCall));
    memory.life++;
    forget(createRunMemory());
  };

  const decided = ({ finding, answer }: Verdict, isAtCall: boolean): Decision => {
    shown = finding;
    noteFinding(tally, finding);
    if (mode === "shadow") return leftUndone(finding, audience);
    if (answer === undefined || mode === "untold") return CONTINUE;
    // What looks like a loop may be several runs that do the same. Words to a wrong one do no harm.
    if (run.isShared() && answer.rung !== "nudge") return CONTINUE;
    return decisionOn(finding, answer, isAtCall, audience);
  };

  /** Answers a call, whatever the evidence says. */
  const told = (finding: Finding, answer: Answer): Decision => {
    noteFinding(tally, finding);
    return mode === "shadow" ? leftUndone(finding, audience) : decisionOn(finding, answer, true, audience);
  };

  /** Tells what the fleet knows of a call, once. */
  const tellShared = (each: Judged): Decision => {
    const shared = mode === "untold" ? undefined : fleet?.findingFor(each, memory, mode === "shadow");
    return shared === undefined ? CONTINUE : told(shared, FIRST_WORD);
  };

  const decideOnCall = ({ open, isBlind }: Extract<EventEffect, { kind: "call" }>, event: CallEvent): Decision => {
    const underWay = run.memory.open;
    const { isByCall } = judge;
    const made = judgedCall(open, run.memory.hasRounds);
    latestCall = open;
    if (isBlind || isByCall) judged = made;
    if (isByCall) tally.checks++;
    if (underWay.length === MAX_OPEN) never.lose(underWay.slice(0, 1));
    const again = mode === "untold" ? undefined : never.find(open, underWay);
    if (again !== undefined && mode !== "off" && !allowed.includes(again.loop)) {
      const refused = ++memory.refusedAgain;
      return told(again, { ...(refused >= judge.ended ? THE_END : LAST_WORD), refused });
    }
    const verdict = judge.onCall(made, isBlind, event);
    if (mode === "off") return CONTINUE;
    if (isBlind || isByCall) fleet?.report(made, memory.life, ruleOf(open.call.tool));
    return verdict === undefined ? tellShared(made) : decided(verdict, true);
  };

  const decideOnStep = (effect: Extract<EventEffect, { kind: "step" }>): Decision => {
    const { kind: _, ...seen } = effect;
    judged = { ...seen, ...NOT_COUNTED };
    memory.refusedAgain = 0;
    const verdict = judge.onStep(judged);
    never.note(judged);
    if (mode === "off") return CONTINUE;
    if (!judge.isByCall) fleet?.report(judged, memory.life, ruleOf(judged.step.tool));
    return verdict === undefined ? CONTINUE : decided(verdict, false);
  };

  const decideOn = (effect: EventEffect, event: AgentEvent): Decision => {
    switch (effect.kind) {
      case "call":
        return decideOnCall(effect, event as CallEvent);
      case "step":
        if (!judge.isByCall) tally.checks++;
        return decideOnStep(effect);
      case "answer":
      case "stream": {
        tally.checks++;
        const verdict =
          effect.kind === "answer" ? judge.onAnswer(run.memory.answers!) : judge.onStream(effect.stream, effect.repeat);
        return verdict === undefined || mode === "off" ? CONTINUE : decided(verdict, false);
      }
      case "user":
        memory.stopped = undefined;
        judge.onUser();
        return CONTINUE;
      case "compaction":
        judge.onCompaction();
        return CONTINUE;
      case "measure":
        if (effect.value === "new") judge.onProgress();
        judge.onMeasure(effect.key, effect.value === "same");
        return CONTINUE;
      case "opinion":
        tally.opinions[judge.onOpinion(effect.event) ?? "late"]++;
        return CONTINUE;
      default:
        return CONTINUE;
    }
  };

  return {
    decide(event: AgentEvent): Decision {
      latestCall = undefined;
      shown = undefined;
      judged = undefined;
      mode = fleet?.mode() ?? "on";
      if (mode === "on" && event.untold === true) mode = "untold";
      // After a stop, any text of the user is a person's.
      if (event.type === "user" && memory.stopped !== undefined) run.memory.userTexts.length = 0;
      if (event.unheard === true) judge.onUnheard();
      const decision = decideOn(run.take(event), event);
      // A stopped run also answers calls that are not looked at: of an ignored tool, or sent twice.
      const { stopped } = memory;
      const isEnded = stopped !== undefined && mode === "on" && !run.isShared();
      const isHeldUp = isEnded && event.type === "call" && decision.action !== "stop";
      latestFinding = isHeldUp ? stopped : decision.finding;
      if (decision.action === "continue" && decision.would !== undefined) tally.would[decision.would]++;
      if (isHeldUp) return stillStopped(stopped, audience);
      const question = judge.takeQuestion();
      if (question === undefined || mode !== "on") return decision;
      tally.opinions.asked++;
      return { ...decision, question };
    },
    allow(loop: string): void {
      allowLoop(memory, loop, judge.allow(loop));
      tally.falsePositives++;
    },
    /** Forgets the run, and keeps what was tuned, allowed and counted. */
    reset(): void {
      memory.announced.length = 0;
      memory.restarts = 0;
      startOver();
      memory.done.length = 0;
    },
    noteFault: () => void tally.faults++,
    // A run that was ended goes on: perhaps the user has spoken.
    noteGap: () => forget(afterGap(run.memory)),
    /**
     * Says what the host does in the end. The action is counted, and a refused call awaits no result. After `stop`, every further call is
     * answered with it until the user speaks.
     */
    carryOut(action: Action): void {
      tally.decisions[action]++;
      if (latestCall !== undefined && (action === "block" || action === "stop")) run.refuse(latestCall);
      if (action === "restart") {
        memory.restarts++;
        startOver();
      }
      if (action === "stop") memory.stopped = latestFinding;
      latestCall = undefined;
    },
    isAtCall: () => latestCall !== undefined,
    isAtWayOut: () => latestCall?.call.isWayOut === true,
    audience,
    shown: () => shown,
    judged: () => judged,
    stats: () => statsOf(tally, options.isShadow ? { obeyed: 0, ignored: 0 } : nudges),
    /** The engine's own memory, still in use. */
    memory: () => memory,
  };
}

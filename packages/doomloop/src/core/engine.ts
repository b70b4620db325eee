import { chooseFinding, membersOf } from "./choose-finding.ts";
import { adaptDetector } from "./custom-detector.ts";
import { type Action, CONTINUE, type Decision } from "./decision.ts";
import { type Audience, decisionOn, leftUndone, stillStopped } from "./decision-on.ts";
import type { Detector } from "./detectors/detector.ts";
import type { Finding } from "./detectors/index.ts";
import type { AgentEvent } from "./event.ts";
import { type EventEffect, judgedIn } from "./event-effect.ts";
import type { TellMisuse } from "./faults.ts";
import type { FleetFinding } from "./finding.ts";
import { createFleetEvidence } from "./fleet-evidence.ts";
import type { FleetMember, FleetMode } from "./fleet-member.ts";
import { allowLoop, announceOnce, createMemory, type GuardMemory } from "./guard-memory.ts";
import type { Platform } from "./identity/platform.ts";
import { foresee } from "./judge/judge-repeat.ts";
import { MAX_OPEN } from "./memory/limits.ts";
import { afterGap, createRunState, hasLearnedSince } from "./memory/run-state.ts";
import { hasChangedSince } from "./memory/world.ts";
import { wordingBy } from "./messages/wording.ts";
import type { ResolvedOptions } from "./options.ts";
import { createLadder } from "./policy/ladder.ts";
import { createNeverAgain } from "./policy/never-again.ts";
import { FIRST_WORD, LAST_WORD, type LadderAnswer } from "./policy/rungs.ts";
import { createToolRules } from "./policy/tool-rules.ts";
import { createRun, type Run } from "./run.ts";
import { positionAt, type RunPosition } from "./run-position.ts";
import { type GuardStats, noteFinding, statsOf } from "./stats.ts";
import type { JudgedStep, Step } from "./step.ts";

/** The flow from an event to a decision. It may throw if the host's code does; the guard catches that. */
export interface Engine {
  decide(event: AgentEvent): Decision;
  allow(loop: string): void;
  /** Forgets the run, and keeps what was tuned, allowed and counted. */
  reset(): void;
  noteFault(): void;
  /** Events were missed: nothing that was seen before counts as evidence any more. */
  noteGap(): void;
  /**
   * Says what the host does in the end. The action is counted, and a refused call awaits no result. After `stop`, every further call is
   * answered with it until the user speaks.
   */
  carryOut(action: Action): void;
  stats(): GuardStats;
  isAtCall(): boolean;
  /** For whom decisions are worded. */
  readonly audience: Audience;
  /** The loop that the latest event showed, even if nothing was said about it. */
  shown(): Finding | undefined;
  /** The step that the latest event completed, as it was judged. */
  judged(): JudgedStep | undefined;
  /** The engine's own memory, still in use. */
  memory(): GuardMemory;
}

export interface EngineParts {
  readonly options: ResolvedOptions;
  readonly platform: Platform;
  readonly fleet: FleetMember | undefined;
  readonly onFault: (fault: unknown) => void;
  readonly tellMisuse: TellMisuse;
}

/** Builds the flow, with an empty memory or a saved one. Throws for invalid options. */
export function createEngine(parts: EngineParts, saved?: GuardMemory): Engine {
  const { options, platform, fleet, onFault, tellMisuse } = parts;
  const { progress, streams, customDetectors } = options;
  // The host knows its own loops best: its own detectors come first.
  const detectors: readonly Detector<Exclude<Finding, FleetFinding>>[] = [
    ...customDetectors.map(([name, detector]) => adaptDetector(name, detector, onFault, tellMisuse)),
    ...options.detectors,
  ];
  const audience = { ...options, wording: wordingBy(options.messages, onFault) };
  const ruleOf = createToolRules(options.tools, onFault, tellMisuse);
  const evidence = createFleetEvidence(fleet, onFault);
  const isInFleet = evidence !== undefined;
  const runOptions = {
    ...{ progress, ruleOf, platform, streams, tellMisuse, isInFleet },
    showsRaw: customDetectors.length > 0,
  };
  const memory = saved ?? createMemory();
  let run: Run = createRun(runOptions, memory.run);
  const { tally, allowed, allowedCalls, announced } = memory;
  const never = createNeverAgain({ ruleOf, done: memory.done, tellMisuse });
  const hasProgressedSince = ({ round, calls }: RunPosition): boolean =>
    hasChangedSince(run.state.world, calls - 1) || (progress.news && hasLearnedSince(run.state, round));
  const ladder = createLadder(options.ladder, hasProgressedSince, memory.ladder);
  let latestCall: Step | undefined;
  let latestFinding: Finding | undefined;
  let shown: Finding | undefined;
  let latestJudged: JudgedStep | undefined;
  /** How far the fleet lets this guard act, asked at each event; `untold`: the event is from a record, and nothing was said at it. */
  let mode: FleetMode | "untold" = "on";

  /** Loops that are certain come first, then loops that were answered before. Allowed loops are never reported. */
  const inspect = (effect: EventEffect): Finding | undefined => {
    const call = judgedIn(effect)?.step.call;
    const isAllowed = call !== undefined && allowedCalls.includes(call);
    return chooseFinding(detectors, effect, run.state, (finding) => {
      if (isAllowed || allowed.includes(finding.loop)) return undefined;
      return (finding.isCertain ? 2 : 0) + (ladder.has(finding.loop) ? 1 : 0);
    });
  };

  const toDecision = (finding: Finding, due: LadderAnswer, isAtCall: boolean, { occasion }: RunPosition): Decision => {
    if (!options.isShadow) memory.messageOccasion = occasion;
    // If too many runs of the fleet were stopped already, the call is refused instead.
    const mayStop = due.rung !== "stop" || options.isShadow || (evidence?.mayStop() ?? true);
    return decisionOn(finding, mayStop ? due : { ...due, ...LAST_WORD, next: "stop" }, isAtCall, audience);
  };

  /** Answers a call, whatever its ladder says. */
  const tellOf = (finding: Finding, answer: LadderAnswer, position: RunPosition): Decision => {
    noteFinding(tally, finding);
    return mode === "shadow" ? leftUndone(finding, audience) : toDecision(finding, answer, true, position);
  };

  const startOver = (): void => {
    never.lose(run.state.open.open.filter((step) => step !== latestCall));
    memory.run = createRunState();
    run = createRun(runOptions, memory.run);
    ladder.startOver();
    memory.messageOccasion = -1;
    memory.stopped = undefined;
    memory.life++;
  };

  const noteGap = (): void => {
    memory.run = afterGap(run.state);
    run = createRun(runOptions, memory.run);
    ladder.noteGap();
    // Perhaps the user has spoken.
    memory.stopped = undefined;
  };

  const answerTo = (finding: Finding, effect: EventEffect): Decision => {
    const position = positionAt(run.state, effect);
    const judged = judgedIn(effect);
    shown = finding;
    noteFinding(tally, finding);
    evidence?.looping();
    if (mode === "shadow") return leftUndone(finding, audience);
    if (memory.messageOccasion === position.occasion) {
      ladder.follow(finding);
      return CONTINUE;
    }
    const isConfirmed = judged !== undefined && (evidence?.confirms(judged) ?? false);
    const isAtCall = effect.kind === "call";
    const members = membersOf(finding, effect, run.state);
    const answer = ladder.answer({ finding, members, isAtCall, isConfirmed, isUntold: mode === "untold" }, position);
    return answer === undefined ? CONTINUE : toDecision(finding, answer, isAtCall, position);
  };

  /** Tells what the fleet knows of a call, once. */
  const tellShared = (step: Step, position: RunPosition): Decision => {
    const shared = evidence?.findingFor(step);
    const isOpen = mode !== "untold" && memory.messageOccasion !== position.occasion;
    if (shared === undefined || allowed.includes(shared.loop) || !isOpen) return CONTINUE;
    // What was only seen in shadow mode has not been told yet.
    const announcement = mode === "shadow" ? `shadow ${shared.loop}` : shared.loop;
    return announceOnce(memory, announcement) ? tellOf(shared, FIRST_WORD, position) : CONTINUE;
  };

  const decideOnCall = (effect: Extract<EventEffect, { kind: "call" }>, again: Finding | undefined): Decision => {
    const { step, judged } = effect;
    const rule = ruleOf(step.tool);
    const isIdle = memory.ladder.climbs.size === 0;
    if (judged === undefined && isIdle && again === undefined && evidence === undefined) return CONTINUE;
    const position = positionAt(run.state, effect);
    ladder.settle(position.round);
    if (again !== undefined && !allowed.includes(again.loop)) return tellOf(again, LAST_WORD, position);
    const calls = isIdle ? [] : [step.call, step.facts.like ?? step.call];
    if (mode === "on" && judged === undefined && !isIdle && !calls.some((call) => allowedCalls.includes(call))) {
      const prospect = foresee(run.state, step, { progress, rule });
      const foreseen = prospect === "open" ? undefined : ladder.foresee(calls, position, prospect === "proven");
      if (foreseen !== undefined) return toDecision(foreseen.finding, foreseen.answer, true, position);
    }
    const finding = judged === undefined ? undefined : inspect(effect);
    return finding === undefined ? tellShared(step, position) : answerTo(finding, effect);
  };

  const decideOn = (
    effect: Exclude<EventEffect, { kind: "nothing" | "user" }>,
    judged = judgedIn(effect),
  ): Decision => {
    if (effect.kind !== "call" || judged !== undefined) tally.checks++;
    const { open } = run.state.open;
    // The oldest open call is forgotten next, and its result with it.
    if (open.length === MAX_OPEN) never.lose(open.slice(0, 1));
    const again = effect.kind === "call" && mode !== "untold" ? never.find(effect.step, open) : undefined;
    if (judged !== undefined) never.note(judged);
    if (mode === "off") return CONTINUE;
    if (judged !== undefined)
      evidence?.report(judged, memory.life, {
        looksAtOutcomes: progress.outcomes === "compare",
        rule: ruleOf(judged.step.tool),
      });
    if (effect.kind !== "call") {
      const finding = inspect(effect);
      return finding === undefined ? CONTINUE : answerTo(finding, effect);
    }
    latestCall = effect.step;
    return decideOnCall(effect, again);
  };

  return {
    decide(event) {
      const effect = run.take(event);
      latestCall = undefined;
      shown = undefined;
      latestJudged = judgedIn(effect);
      mode = evidence?.mode() ?? "on";
      if (mode === "on" && event.untold === true) mode = "untold";
      if (effect.kind === "user") memory.stopped = undefined;
      const decision = effect.kind === "nothing" || effect.kind === "user" ? CONTINUE : decideOn(effect);
      // A stopped run also answers calls that are not looked at: of an ignored tool, or sent twice.
      const { stopped } = memory;
      const isHeldUp = stopped && mode === "on" && event.type === "call" && decision.action !== "stop";
      latestFinding = isHeldUp ? stopped : decision.finding;
      if (decision.action === "continue" && decision.would !== undefined) tally.would[decision.would]++;
      return isHeldUp ? stillStopped(stopped, audience) : decision;
    },
    allow(loop) {
      allowLoop(memory, loop, ladder.membersOf(loop));
      tally.falsePositives++;
    },
    reset() {
      memory.ladder.climbs.clear();
      announced.length = 0;
      startOver();
      memory.done.length = 0;
    },
    noteFault: () => void tally.faults++,
    noteGap,
    carryOut(action) {
      tally.decisions[action]++;
      if (action === "restart") startOver();
      if (action === "stop") memory.stopped = latestFinding;
      if (latestCall !== undefined && (action === "block" || action === "stop")) run.refuse(latestCall);
      latestCall = undefined;
    },
    isAtCall: () => latestCall !== undefined,
    audience,
    shown: () => shown,
    judged: () => latestJudged,
    stats: () => statsOf(tally, options.isShadow ? { obeyed: 0, ignored: 0 } : memory.ladder),
    memory: () => memory,
  };
}

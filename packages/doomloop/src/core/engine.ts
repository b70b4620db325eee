import { chooseFinding, membersOf } from "./choose-finding.ts";
import { adaptDetector } from "./custom-detector.ts";
import { type Action, CONTINUE, type Decision } from "./decision.ts";
import { type Audience, decisionOn, leftUndone, stillStopped } from "./decision-on.ts";
import type { Detector } from "./detectors/detector.ts";
import type { Finding } from "./detectors/index.ts";
import type { AgentEvent } from "./event.ts";
import type { TellMisuse } from "./faults.ts";
import type { FleetFinding } from "./finding.ts";
import { createFleetEvidence } from "./fleet-evidence.ts";
import type { FleetMember, FleetMode } from "./fleet-member.ts";
import { allowLoop, announceOnce, createMemory, type GuardMemory } from "./guard-memory.ts";
import type { Platform } from "./identity/platform.ts";
import { prospectOf } from "./judge/foresee.ts";
import { MAX_OPEN } from "./memory/open-calls.ts";
import { createRunState, hasLearnedSince } from "./memory/run-state.ts";
import { hasChangedSince } from "./memory/world.ts";
import { wordingBy } from "./messages/wording.ts";
import { judgedIn, type Moved } from "./moved.ts";
import type { ResolvedOptions } from "./options.ts";
import type { Standing } from "./policy/climb.ts";
import { createLadder } from "./policy/ladder.ts";
import { createNeverAgain } from "./policy/never-again.ts";
import { FIRST_WORD, LAST_WORD, type LadderAnswer } from "./policy/rungs.ts";
import { createToolRules } from "./policy/tool-rules.ts";
import { factsOf } from "./progress/call-facts.ts";
import { createRun, type Run } from "./run.ts";
import { standingAt } from "./standing-at.ts";
import { type GuardStats, noteFinding, statsOf } from "./stats.ts";
import type { Step } from "./step.ts";

/** The flow from an event to a decision. May throw where something foreign breaks its word; the guard catches that. */
export interface Engine {
  decide(event: AgentEvent): Decision;
  allow(loop: string): void;
  /** Forgets the run, keeps what was tuned, allowed and counted. */
  reset(): void;
  noteFault(): void;
  /**
   * What is done in the end, where the host has the last word: counted, and a call that is not to be run awaits no result. After
   * `stop`, every further call is answered with it until the user speaks.
   */
  carryOut(action: Action): void;
  stats(): GuardStats;
  isAtCall(): boolean;
  /** For whom it words what it decides. */
  readonly audience: Audience;
  /** The loop that the latest event showed, also where nothing is said about it. */
  shown(): Finding | undefined;
  /** What it remembers; its own, and still in use. */
  memory(): GuardMemory;
}

export interface EngineParts {
  readonly options: ResolvedOptions;
  readonly platform: Platform;
  readonly fleet: FleetMember | undefined;
  readonly onFault: (fault: unknown) => void;
  readonly tellMisuse: TellMisuse;
}

/** Builds the flow, with an empty memory or a saved one; throws for options that make no sense. */
export function createEngine(parts: EngineParts, saved?: GuardMemory): Engine {
  const { options, platform, fleet, onFault, tellMisuse } = parts;
  const { progress, streams, customDetectors } = options;
  // The host knows its own loops best: of several that are seen at once, its own come first.
  const detectors: readonly Detector<Exclude<Finding, FleetFinding>>[] = [
    ...customDetectors.map(([name, detector]) => adaptDetector(name, detector, onFault, tellMisuse)),
    ...options.detectors,
  ];
  const audience = { ...options, wording: wordingBy(options.messages, onFault) };
  const ruleOf = createToolRules(options.tools, onFault, tellMisuse);
  const evidence = createFleetEvidence(fleet, onFault);
  const runOptions = { progress, ruleOf, platform, streams, tellMisuse, showsRaw: customDetectors.length > 0 };
  const memory = saved ?? createMemory();
  let run: Run = createRun(runOptions, memory.run);
  const { tally, allowed, allowedCalls, announced } = memory;
  const never = createNeverAgain({ ruleOf, done: memory.done, tellMisuse });
  const hasProgressedSince = ({ round, calls }: Standing): boolean =>
    hasChangedSince(run.state.world, calls - 1) || (progress.news && hasLearnedSince(run.state, round));
  const ladder = createLadder(options.ladder, hasProgressedSince, memory.ladder);
  let latestCall: Step | undefined;
  let latestFinding: Finding | undefined;
  let shown: Finding | undefined;
  /** How far the fleet lets this guard act, asked at each event; `untold`: a record says that nothing was said at this one. */
  let mode: FleetMode | "untold" = "on";

  /** What is certain comes first, then what was answered before. What was allowed has no rank, by whichever name it is seen. */
  const inspect = (moved: Moved): Finding | undefined => {
    const call = judgedIn(moved)?.step.call;
    const isAllowed = call !== undefined && allowedCalls.includes(call);
    return chooseFinding(detectors, moved, run.state, (finding) => {
      if (isAllowed || allowed.includes(finding.loop)) return undefined;
      return (finding.isCertain ? 2 : 0) + (ladder.has(finding.loop) ? 1 : 0);
    });
  };

  const toDecision = (finding: Finding, due: LadderAnswer, isAtCall: boolean, { occasion }: Standing): Decision => {
    if (!options.isShadow) memory.messageOccasion = occasion;
    // A run that may not be stopped now, because too many of its fleet were, has its call refused instead.
    const mayStop = due.rung !== "stop" || options.isShadow || (evidence?.mayStop() ?? true);
    return decisionOn(finding, mayStop ? due : { ...due, ...LAST_WORD, next: "stop" }, isAtCall, audience);
  };

  /** Answers a call, whatever its ladder says. */
  const tellOf = (finding: Finding, answer: LadderAnswer, standing: Standing): Decision => {
    noteFinding(tally, finding);
    return mode === "shadow" ? leftUndone(finding, audience) : toDecision(finding, answer, true, standing);
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

  const answerTo = (finding: Finding, moved: Moved): Decision => {
    const standing = standingAt(run, moved);
    const judged = judgedIn(moved);
    shown = finding;
    noteFinding(tally, finding);
    evidence?.looping();
    if (mode === "shadow") return leftUndone(finding, audience);
    if (memory.messageOccasion === standing.occasion) {
      ladder.follow(finding);
      return CONTINUE;
    }
    const isConfirmed = judged !== undefined && (evidence?.confirms(judged) ?? false);
    const isAtCall = moved.kind === "call";
    const members = membersOf(finding, moved, run.state);
    const answer = ladder.answer({ finding, members, isAtCall, isConfirmed, isUntold: mode === "untold" }, standing);
    return answer === undefined ? CONTINUE : toDecision(finding, answer, isAtCall, standing);
  };

  /** What the fleet knows of a call is told once. */
  const tellShared = (step: Step, standing: Standing): Decision => {
    const shared = evidence?.findingFor(step);
    const isOpen = mode !== "untold" && memory.messageOccasion !== standing.occasion;
    if (shared === undefined || allowed.includes(shared.loop) || !isOpen) return CONTINUE;
    // What was only seen in shadow is yet to be told.
    const announcement = mode === "shadow" ? `shadow ${shared.loop}` : shared.loop;
    return announceOnce(memory, announcement) ? tellOf(shared, FIRST_WORD, standing) : CONTINUE;
  };

  const decideOnCall = (moved: Extract<Moved, { kind: "call" }>, again: Finding | undefined): Decision => {
    const { step, judged } = moved;
    const rule = ruleOf(step.tool);
    const isIdle = memory.ladder.climbs.size === 0;
    if (judged === undefined && isIdle && again === undefined && evidence === undefined) return CONTINUE;
    const standing = standingAt(run, moved);
    ladder.settle(standing.round);
    if (again !== undefined && !allowed.includes(again.loop)) return tellOf(again, LAST_WORD, standing);
    const calls = isIdle ? [] : [step.call, factsOf(step).like ?? step.call];
    if (mode === "on" && judged === undefined && !isIdle && !calls.some((call) => allowedCalls.includes(call))) {
      const prospect = prospectOf(run.state, step, { progress, rule });
      const foreseen = prospect === "open" ? undefined : ladder.foresee(calls, standing, prospect === "proven");
      if (foreseen !== undefined) return toDecision(foreseen.finding, foreseen.answer, true, standing);
    }
    const finding = judged === undefined ? undefined : inspect(moved);
    return finding === undefined ? tellShared(step, standing) : answerTo(finding, moved);
  };

  const decideOn = (moved: Exclude<Moved, { kind: "nothing" | "user" }>, judged = judgedIn(moved)): Decision => {
    if (moved.kind !== "call" || judged !== undefined) tally.checks++;
    const { open } = run.state.open;
    // The oldest one is forgotten next, and its result with it.
    if (open.length === MAX_OPEN) never.lose(open.slice(0, 1));
    const again = moved.kind === "call" && mode !== "untold" ? never.find(moved.step, open) : undefined;
    if (judged !== undefined) never.note(judged);
    if (mode === "off") return CONTINUE;
    if (judged !== undefined) evidence?.report(judged, memory.life, progress.outcomes === "compare");
    if (moved.kind !== "call") {
      const finding = inspect(moved);
      return finding === undefined ? CONTINUE : answerTo(finding, moved);
    }
    latestCall = moved.step;
    return decideOnCall(moved, again);
  };

  return {
    decide(event) {
      const moved = run.take(event);
      latestCall = undefined;
      shown = undefined;
      mode = evidence?.mode() ?? "on";
      if (mode === "on" && event.untold === true) mode = "untold";
      if (moved.kind === "user") memory.stopped = undefined;
      const decision = moved.kind === "nothing" || moved.kind === "user" ? CONTINUE : decideOn(moved);
      // Also a call that nobody looks at, because its tool is ignored or it is sent twice.
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
    stats: () => statsOf(tally, options.isShadow ? { obeyed: 0, ignored: 0 } : memory.ladder),
    memory: () => memory,
  };
}

import { chooseFinding, membersOf } from "./choose-finding.ts";
import { type Action, CONTINUE, type Decision } from "./decision.ts";
import { decisionOn, leftUndone, stillStopped } from "./decision-on.ts";
import type { Finding } from "./detectors/index.ts";
import type { AgentEvent } from "./event.ts";
import { createFleetEvidence } from "./fleet-evidence.ts";
import type { FleetMember, FleetMode } from "./fleet-member.ts";
import { allowLoop, announceOnce, createMemory, type GuardMemory } from "./guard-memory.ts";
import type { Platform } from "./identity/platform.ts";
import { prospectOf } from "./judge/foresee.ts";
import { createRunState, hasLearnedSince } from "./memory/run-state.ts";
import { hasChangedSince } from "./memory/world.ts";
import { judgedIn, type Moved } from "./moved.ts";
import type { ResolvedOptions } from "./options.ts";
import type { Standing } from "./policy/climb.ts";
import { createLadder } from "./policy/ladder.ts";
import { neverAgain } from "./policy/never-again.ts";
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
}

const UNHEARD = { obeyed: 0, ignored: 0 };

/** Builds the flow, with an empty memory or a saved one; throws for options that make no sense. */
export function createEngine({ options, platform, fleet, onFault }: EngineParts, saved?: GuardMemory): Engine {
  const { detectors, progress, streams } = options;
  const ruleOf = createToolRules(options.tools, onFault);
  const evidence = createFleetEvidence(fleet, onFault);
  const runOptions = { progress, ruleOf, platform, streams };
  const memory = saved ?? createMemory();
  let run: Run = createRun(runOptions, memory.run);
  const { tally, allowed, allowedCalls, announced } = memory;
  const hasProgressedSince = ({ round, calls }: Standing): boolean =>
    hasChangedSince(run.state.world, calls - 1) || (progress.news && hasLearnedSince(run.state, round));
  const ladder = createLadder(options.ladder, hasProgressedSince, memory.ladder);
  let latestCall: Step | undefined;
  let latestFinding: Finding | undefined;
  let shown: Finding | undefined;
  /** How far the fleet lets this guard act, asked at each event. */
  let mode: FleetMode = "on";

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
    return decisionOn(finding, mayStop ? due : { ...due, ...LAST_WORD, next: "stop" }, isAtCall, options);
  };

  /** Answers a call, whatever its ladder says. */
  const tellOf = (finding: Finding, answer: LadderAnswer, standing: Standing): Decision => {
    noteFinding(tally, finding);
    return mode === "shadow" ? leftUndone(finding, options) : toDecision(finding, answer, true, standing);
  };

  const startOver = (): void => {
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
    if (mode === "shadow") return leftUndone(finding, options);
    if (memory.messageOccasion === standing.occasion) {
      ladder.follow(finding);
      return CONTINUE;
    }
    const isConfirmed = judged !== undefined && (evidence?.confirms(judged) ?? false);
    const isAtCall = moved.kind === "call";
    const members = membersOf(finding, moved, run.state);
    const answer = ladder.answer({ finding, members, isAtCall, isConfirmed }, standing);
    return answer === undefined ? CONTINUE : toDecision(finding, answer, isAtCall, standing);
  };

  /** What the fleet knows of a call is told once. */
  const tellShared = (step: Step, standing: Standing): Decision => {
    const shared = evidence?.findingFor(step);
    if (shared === undefined || allowed.includes(shared.loop) || memory.messageOccasion === standing.occasion)
      return CONTINUE;
    // What was only seen in shadow is yet to be told.
    const announcement = mode === "shadow" ? `shadow ${shared.loop}` : shared.loop;
    return announceOnce(memory, announcement) ? tellOf(shared, FIRST_WORD, standing) : CONTINUE;
  };

  const decideOnCall = (moved: Extract<Moved, { kind: "call" }>): Decision => {
    const { step, judged } = moved;
    const rule = ruleOf(step.tool);
    const isIdle = memory.ladder.climbs.size === 0;
    if (judged === undefined && isIdle && rule.repeat !== "never" && evidence === undefined) return CONTINUE;
    const standing = standingAt(run, moved);
    ladder.settle(standing.round);
    const again = rule.repeat === "never" ? neverAgain(run.state, step) : undefined;
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
    if (mode === "off") return CONTINUE;
    if (judged !== undefined) evidence?.report(judged, memory.life, progress.outcomes === "compare");
    if (moved.kind !== "call") {
      const finding = inspect(moved);
      return finding === undefined ? CONTINUE : answerTo(finding, moved);
    }
    latestCall = moved.step;
    return decideOnCall(moved);
  };

  return {
    decide(event) {
      const moved = run.take(event);
      latestCall = undefined;
      shown = undefined;
      mode = evidence?.mode() ?? "on";
      if (moved.kind === "user") memory.stopped = undefined;
      const decision = moved.kind === "nothing" || moved.kind === "user" ? CONTINUE : decideOn(moved);
      // Also a call that nobody looks at, because its tool is ignored or it is sent twice.
      const { stopped } = memory;
      const isHeldUp = stopped && mode === "on" && event.type === "call" && decision.action !== "stop";
      latestFinding = isHeldUp ? stopped : decision.finding;
      return isHeldUp ? stillStopped(stopped, options) : decision;
    },
    allow(loop) {
      allowLoop(memory, loop, ladder.membersOf(loop));
      tally.falsePositives++;
    },
    reset() {
      memory.ladder.climbs.clear();
      announced.length = 0;
      startOver();
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
    shown: () => shown,
    stats: () => statsOf(tally, options.isShadow ? UNHEARD : memory.ladder),
    memory: () => memory,
  };
}

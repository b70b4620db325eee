import { type Action, CONTINUE, type Decision } from "./decision.ts";
import { decisionOn, leftUndone } from "./decision-on.ts";
import type { Finding } from "./detectors/index.ts";
import type { AgentEvent } from "./event.ts";
import { createFleetEvidence } from "./fleet-evidence.ts";
import type { FleetMember, FleetMode } from "./fleet-member.ts";
import type { Platform } from "./identity/canonical.ts";
import { isProvenBarren, wouldBeBarren } from "./judge/judge-step.ts";
import { createMemorySet } from "./memory/memory-set.ts";
import type { OpenCall } from "./memory/open-calls.ts";
import { createRun, type Moved, type Run } from "./memory/run.ts";
import type { ResolvedOptions } from "./options.ts";
import { createLadder, type Standing } from "./policy/ladder.ts";
import { neverAgain } from "./policy/never-again.ts";
import type { LadderAnswer } from "./policy/rungs.ts";
import { createToolRules } from "./policy/tool-rules.ts";
import type { GuardMemory } from "./snapshot.ts";
import { standingAt } from "./standing-at.ts";
import { createTally, type GuardStats, statsOf } from "./stats.ts";

/** The flow from an event to a decision. May throw where something foreign breaks its word; the guard catches that. */
export interface Engine {
  decide(event: AgentEvent): Decision;
  allow(loop: string): void;
  /** Forgets the run, keeps what was tuned, allowed and counted. */
  reset(): void;
  noteFault(): void;
  /** What is done in the end, where the host has the last word: counted, and a call that is not to be run awaits no result. */
  carryOut(action: Action): void;
  stats(): GuardStats;
  save(): GuardMemory;
}

/** Nobody obeys or ignores what was never said. */
const UNHEARD = { obeyed: 0, ignored: 0 };
const MAX_ALLOWED = 64;
const MAX_ALLOWED_CALLS = 128;
const MAX_ANNOUNCED = 64;

/** Builds the flow; throws for options that make no sense. */
export function createEngine(
  options: ResolvedOptions,
  platform: Platform,
  fleet: FleetMember | undefined,
  memory: GuardMemory | undefined,
  onFault: (fault: unknown) => void,
): Engine {
  const { detectors, progress, streams, countsTests } = options;
  const ruleOf = createToolRules(options.tools, onFault);
  const evidence = createFleetEvidence(fleet, onFault);
  const runOptions = { progress, ruleOf, platform, streams, countsTests };
  const hasProgressedSince = ({ round, calls }: Standing): boolean =>
    run.state.world.hasChangedSince(calls - 1) || (progress.news && run.state.news.hasComeSince(round));
  const ladder = createLadder(
    {
      rungs: options.ladder,
      scope: options.ladderScope,
      descends: options.ladderDescends,
      counts: options.ladderCounts,
      beyondNudge: options.beyondNudge,
      hasProgressedSince,
    },
    memory?.ladder,
  );
  const allowed = createMemorySet(MAX_ALLOWED, memory?.allowed);
  /** The calls of what was allowed, apart, so that a long cycle does not push out what was allowed before it. */
  const allowedCalls = createMemorySet(MAX_ALLOWED_CALLS, memory?.allowedCalls);
  const announced = createMemorySet(MAX_ANNOUNCED, memory?.announced);
  const tally = createTally(memory?.tally);
  let life = memory?.life ?? 0;
  let run: Run = createRun(runOptions, memory?.run);
  let messageOccasion = memory?.messageOccasion ?? -1;
  /** The call that is being decided on. */
  let latestCall: OpenCall | undefined;
  /** How far the fleet lets this guard act, asked at each event. */
  let mode: FleetMode = "on";

  const rankOf = (finding: Finding): number => (finding.isCertain ? 2 : 0) + (ladder.has(finding.loop) ? 1 : 0);

  /** Of all that the detectors see: what is certain, then what was answered before, then the most telling. */
  const inspect = (moved: Moved): Finding | undefined => {
    const on = moved.kind === "answer" || moved.kind === "stream" ? moved.kind : "step";
    const { latest } = run.state;
    // A loop that was allowed is allowed by whichever name it is seen.
    if (on === "step" && latest !== undefined && allowedCalls.has(latest.call)) return undefined;
    let chosen: Finding | undefined;
    for (const detector of detectors) {
      if (detector.on !== on) continue;
      const finding = detector.inspect(run.state, moved);
      if (finding === undefined || allowed.has(finding.loop)) continue;
      if (chosen === undefined || rankOf(finding) > rankOf(chosen)) chosen = finding;
    }
    return chosen;
  };

  /** A run that may not be stopped now, because too many of its fleet were, has its call refused instead. */
  const withinRadius = (answer: LadderAnswer): LadderAnswer => {
    if (answer.rung !== "stop" || options.isShadow || (evidence?.mayStop() ?? true)) return answer;
    return { rung: "block", tone: "last", next: "stop" };
  };

  const toDecision = (finding: Finding, due: LadderAnswer, isAtCall: boolean, { occasion }: Standing): Decision => {
    const decision = decisionOn(finding, withinRadius(due), isAtCall, options);
    if (options.isShadow) return decision;
    messageOccasion = occasion;
    if (decision.action === "restart") startOver();
    return decision;
  };

  const countFinding = (finding: Finding): void => {
    tally.findings[finding.kind] = (tally.findings[finding.kind] ?? 0) + 1;
    tally.confidence += finding.confidence;
  };

  const startOver = (): void => {
    run = createRun(runOptions);
    ladder.startOver();
    messageOccasion = -1;
    life++;
  };

  const answerTo = (finding: Finding, moved: Moved): Decision => {
    const standing = standingAt(run, moved, progress);
    countFinding(finding);
    evidence?.looping();
    if (mode === "shadow") return leftUndone(finding, options);
    if (messageOccasion === standing.occasion) {
      ladder.follow(finding);
      return CONTINUE;
    }
    const isConfirmed = isOnStep(moved) && (evidence?.confirms(run.state.latest) ?? false);
    const answer = ladder.answer(finding, membersOf(run, finding), standing, isConfirmed);
    return answer === undefined ? CONTINUE : toDecision(finding, answer, moved.kind === "call", standing);
  };

  const decideOnCall = (moved: Extract<Moved, { kind: "call" }>, call: OpenCall): Decision => {
    const rule = ruleOf(call.tool);
    if (!moved.isJudged && ladder.isEmpty() && rule.repeat !== "never" && evidence === undefined) return CONTINUE;
    const standing = standingAt(run, moved, progress);
    ladder.settle(standing.round);
    if (rule.repeat === "never") {
      const finding = neverAgain(run.state, call);
      if (finding !== undefined && !allowed.has(finding.loop)) {
        countFinding(finding);
        if (mode === "shadow") return leftUndone(finding, options);
        return toDecision(finding, { rung: "block", tone: "last", next: undefined }, true, standing);
      }
    }
    const isOpen = mode === "on" && !moved.isJudged && !ladder.isEmpty() && !allowedCalls.has(call.call);
    if (isOpen && wouldBeBarren(run.state, call, { progress, rule, countsTests })) {
      const isProven = isProvenBarren(run.state, call, { progress, rule, countsTests });
      const foreseen = ladder.foresee(call.call, call.facts.like, standing, isProven);
      if (foreseen !== undefined) return toDecision(foreseen.finding, foreseen.answer, true, standing);
    }
    const finding = moved.isJudged ? inspect(moved) : undefined;
    if (finding !== undefined) return answerTo(finding, moved);
    const shared = evidence?.findingFor(call);
    // What was only seen in shadow is yet to be told.
    const announcement = mode === "shadow" ? `shadow ${shared?.loop}` : shared?.loop;
    if (shared === undefined || announcement === undefined) return CONTINUE;
    if (allowed.has(shared.loop) || announced.has(announcement)) return CONTINUE;
    if (messageOccasion === standing.occasion) return CONTINUE;
    announced.add(announcement);
    countFinding(shared);
    if (mode === "shadow") return leftUndone(shared, options);
    return toDecision(shared, { rung: "nudge", tone: "notice", next: undefined }, true, standing);
  };

  return {
    decide(event) {
      const moved = run.take(event);
      latestCall = undefined;
      if (moved.kind === "nothing") return CONTINUE;
      if (moved.kind !== "call" || moved.isJudged) tally.checks++;
      mode = evidence?.mode() ?? "on";
      if (mode === "off") return CONTINUE;
      if (isOnStep(moved)) evidence?.report(run.state.latest, life, progress.outcomes === "compare");
      if (moved.kind === "call") {
        latestCall = moved.call;
        return decideOnCall(moved, moved.call);
      }
      const finding = inspect(moved);
      return finding === undefined ? CONTINUE : answerTo(finding, moved);
    },
    allow(loop) {
      allowed.add(loop);
      for (const call of ladder.membersOf(loop)) allowedCalls.add(call);
      tally.falsePositives++;
    },
    reset() {
      startOver();
      ladder.clear();
      announced.clear();
    },
    noteFault() {
      tally.faults++;
    },
    carryOut(action) {
      tally.decisions[action]++;
      if (latestCall !== undefined && (action === "block" || action === "stop")) run.refuse(latestCall);
      latestCall = undefined;
    },
    stats: () => statsOf(tally, options.isShadow ? UNHEARD : { obeyed: ladder.obeyed(), ignored: ladder.ignored() }),
    save: () => ({
      run: run.save(),
      ladder: ladder.save(),
      allowed: allowed.list(),
      allowedCalls: allowedCalls.list(),
      announced: announced.list(),
      life,
      tally,
      messageOccasion,
    }),
  };
}

/** Whether a step was judged, and not words. */
function isOnStep(moved: Moved): boolean {
  return moved.kind === "step" || (moved.kind === "call" && moved.isJudged);
}

/** The calls that would continue the loop. */
function membersOf(run: Run, finding: Finding): readonly string[] {
  const { latest, lags } = run.state;
  const calls = lags.callsAt(finding.steps);
  if (latest === undefined || finding.steps.length === 0) return calls;
  return latest.fuzzy === undefined ? [latest.call, ...calls] : [latest.call, latest.fuzzy.like, ...calls];
}

import { type Action, CONTINUE, type Decision, LOOP_DETECTED } from "./decision.ts";
import { createDetectors, type Finding } from "./detectors/index.ts";
import type { AgentEvent } from "./event.ts";
import { fleetFinding, reportToFleet } from "./fleet-evidence.ts";
import type { FleetMember } from "./fleet-member.ts";
import type { Platform } from "./identity/canonical.ts";
import { wouldBeBarren } from "./memory/judge-step.ts";
import type { OpenCall } from "./memory/open-calls.ts";
import { createRun, type Moved, type Run } from "./memory/run.ts";
import { explanationFor, messageFor } from "./messages/index.ts";
import type { ResolvedOptions } from "./options.ts";
import { createLadder, type LadderAnswer, type Standing } from "./policy/ladder.ts";
import { neverAgain } from "./policy/never-again.ts";
import { createToolRules } from "./policy/tool-rules.ts";
import { resolveProgress } from "./progress/progress-options.ts";
import { SNAPSHOT_VERSION, type Snapshot } from "./snapshot.ts";
import { createTally, type GuardStats, statsOf } from "./stats.ts";

/** The flow from an event to a decision. May throw where something foreign breaks its word; the guard catches that. */
export interface Engine {
  decide(event: AgentEvent): Decision;
  allow(loop: string): void;
  /** Forgets the run, keeps what was tuned, allowed and counted. */
  reset(): void;
  noteFault(): void;
  /** Counts what was done in the end. */
  count(action: Action): void;
  stats(): GuardStats;
  save(): Snapshot;
}

const MAX_ALLOWED = 64;
/** Occasions within one round: later pieces of a stream, later answers without a call. */
const OCCASIONS_PER_ROUND = 1_000_000;

/** Builds the flow; throws for options that make no sense. */
export function createEngine(
  options: ResolvedOptions,
  platform: Platform,
  fleet: FleetMember | undefined,
  snapshot: Snapshot | undefined,
): Engine {
  const detectors = createDetectors(options.detectors);
  const progress = resolveProgress(options.progress);
  const ruleOf = createToolRules(options.tools);
  const streams = options.detectors["repeated-text"] || {};
  const runOptions = { progress, ruleOf, platform, streams };
  const ladder = createLadder({ rungs: options.ladder, scope: options.ladderScope }, snapshot?.ladder);
  const allowed = new Set(snapshot?.allowed);
  const tally = { ...createTally(), ...snapshot?.tally };
  let run: Run = createRun(runOptions, snapshot?.run);
  let messageOccasion = snapshot?.messageOccasion ?? -1;

  const standingAt = (moved: Moved): Standing => {
    const { round, turn, novelty } = run.state.counters;
    return {
      occasion: round * OCCASIONS_PER_ROUND + occasionWithin(moved, run),
      round,
      turn,
      epoch: run.state.world.epoch,
      novelty,
    };
  };

  /** Of all that the detectors see, the loop that was answered before, else the most telling. */
  const inspect = (moved: Moved): Finding | undefined => {
    const on = moved.kind === "answer" || moved.kind === "stream" ? moved.kind : "step";
    let chosen: Finding | undefined;
    for (const detector of detectors) {
      if (detector.on !== on) continue;
      const finding = detector.inspect(run.state, moved);
      if (finding === undefined || allowed.has(finding.loop)) continue;
      if (ladder.has(finding.loop)) return finding;
      chosen ??= finding;
    }
    return chosen;
  };

  const toDecision = (finding: Finding, answer: LadderAnswer, isAtCall: boolean, standing: Standing): Decision => {
    // A call that has already run cannot be blocked any more: that rung is spent on one last warning.
    const isTooLate = answer.rung === "block" && !isAtCall;
    const given: LadderAnswer = isTooLate ? { ...answer, rung: "nudge", tone: "last" } : answer;
    const outlook = {
      next: isTooLate ? (answer.next ?? "block") : answer.next,
      isRefused: given.rung === "block",
      isAttended: options.isAttended,
    };
    const explanation = explanationFor(finding, given, outlook);
    if (options.isShadow) return { action: "continue", finding, explanation };
    messageOccasion = standing.occasion;
    if (given.rung === "restart") run = createRun(runOptions);
    const decision: Decision = {
      action: given.rung,
      finding,
      message: messageFor(finding, given, outlook),
      explanation,
    };
    return given.rung === "stop" ? { ...decision, status: LOOP_DETECTED } : decision;
  };

  const answerTo = (finding: Finding, moved: Moved): Decision => {
    const standing = standingAt(moved);
    tally.findings[finding.kind] = (tally.findings[finding.kind] ?? 0) + 1;
    tally.confidence += finding.confidence;
    if (messageOccasion === standing.occasion) return CONTINUE;
    const answer = ladder.answer(finding, membersOf(run, finding), standing);
    return answer === undefined ? CONTINUE : toDecision(finding, answer, moved.kind === "call", standing);
  };

  const decideOnCall = (moved: Extract<Moved, { kind: "call" }>, call: OpenCall): Decision => {
    const rule = ruleOf(call.tool);
    const standing = standingAt(moved);
    ladder.settle(standing.round);
    if (rule.repeat === "never") {
      const finding = neverAgain(run.state, call);
      if (finding !== undefined)
        return toDecision(finding, { rung: "block", tone: "last", next: undefined }, true, standing);
    }
    if (wouldBeBarren(run.state, call, { progress, rule })) {
      const foreseen = ladder.foresee(call.call, call.like, standing);
      if (foreseen !== undefined && !allowed.has(foreseen.finding.loop))
        return toDecision(foreseen.finding, foreseen.answer, true, standing);
    }
    const finding = moved.isJudged ? inspect(moved) : undefined;
    if (finding !== undefined) return answerTo(finding, moved);
    const shared = fleetFinding(fleet, call);
    if (shared === undefined || allowed.has(shared.loop) || ladder.has(shared.loop)) return CONTINUE;
    ladder.answer(shared, [], standing);
    return toDecision(shared, { rung: "nudge", tone: "notice", next: undefined }, true, standing);
  };

  return {
    decide(event) {
      const moved = run.take(event);
      if (moved.kind === "nothing") return CONTINUE;
      if (moved.kind !== "call" || moved.isJudged) tally.checks++;
      if (moved.kind === "call") return decideOnCall(moved, moved.call);
      if (moved.kind === "step") reportToFleet(fleet, run.state.latest);
      const finding = inspect(moved);
      return finding === undefined ? CONTINUE : answerTo(finding, moved);
    },
    allow(loop) {
      if (allowed.size >= MAX_ALLOWED) allowed.delete(allowed.values().next().value!);
      allowed.add(loop);
      tally.falsePositives++;
    },
    reset() {
      run = createRun(runOptions);
      ladder.clear();
      messageOccasion = -1;
    },
    noteFault() {
      tally.faults++;
    },
    count(action) {
      tally.decisions[action]++;
    },
    stats: () => statsOf(tally, { obeyed: ladder.obeyed, ignored: ladder.ignored }),
    save: () => ({
      version: SNAPSHOT_VERSION,
      run: run.save(),
      ladder: structuredCopy(ladder.save()),
      allowed: [...allowed],
      tally: structuredCopy(tally),
      messageOccasion,
    }),
  };
}

function structuredCopy<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

/** A stream speaks again when what it repeats has doubled, answers without a call each time, a step once a round. */
function occasionWithin(moved: Moved, run: Run): number {
  if (moved.kind === "stream") return 1 + Math.floor(Math.log2(moved.repeat.repetitions + 1));
  return moved.kind === "answer" ? 100 + run.state.answers.count : 0;
}

/** The calls that would continue the loop. */
function membersOf(run: Run, finding: Finding): readonly string[] {
  const { latest, lags } = run.state;
  const calls = lags.callsAt(finding.steps);
  if (latest === undefined || finding.steps.length === 0) return calls;
  return latest.like === undefined ? [latest.call, ...calls] : [latest.call, latest.like, ...calls];
}

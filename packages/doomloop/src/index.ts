import { createCoreGuard, type Guard } from "./core/guard.ts";
import type { Platform } from "./core/identity/platform.ts";
import type { GuardOptions } from "./core/options.ts";
import { platform } from "./platform.ts";
import { warnOnce } from "./warn-once.ts";

export {
  type CustomDetector,
  type CustomFinding,
  type CustomSight,
  type CustomStep,
  defineDetector,
} from "./core/custom-detector.ts";
export type { Action, Decision, OwnDecision } from "./core/decision.ts";
export { LOOP_DETECTED, type LoopStop, loopStop, type StopPlace } from "./core/decision.ts";
export type { CallCycleFinding, CallCycleOptions } from "./core/detectors/call-cycle.ts";
export type { FailureStreakFinding, FailureStreakOptions } from "./core/detectors/failure-streak.ts";
export type { DetectorKind, DetectorOptions, Finding, FindingKind } from "./core/detectors/index.ts";
export type { RepeatedCallFinding, RepeatedCallOptions } from "./core/detectors/repeated-call.ts";
export type { RepeatedTextFinding } from "./core/detectors/repeated-text.ts";
export type { SameOutcomeFinding, SameOutcomeOptions } from "./core/detectors/same-outcome.ts";
export type { SimilarCallFinding, SimilarCallOptions } from "./core/detectors/similar-call.ts";
export type { StalledFinding, StalledOptions } from "./core/detectors/stalled.ts";
export type { TestFixFinding, TestFixOptions } from "./core/detectors/test-fix.ts";
export type { TextOnlyFinding, TextOnlyOptions } from "./core/detectors/text-only.ts";
export { DoomloopError, type DoomloopErrorCode, isDoomloopError } from "./core/doomloop-error.ts";
export type {
  AgentEvent,
  CallEvent,
  CompactionEvent,
  ReasoningEvent,
  ResultEvent,
  RoundEvent,
  StateEvent,
  TextEvent,
  UserEvent,
} from "./core/event.ts";
export type { FindingFacts, FleetFinding, OutcomeStrength } from "./core/finding.ts";
export type { FleetMember, FleetReport, FleetVerdict } from "./core/fleet-member.ts";
export type { FleetScope } from "./core/fleet-scope.ts";
export type { Guard } from "./core/guard.ts";
export type { MessageFacts, MessageTemplates } from "./core/messages/wording.ts";
export { REPORT_REQUEST, SYSTEM_PROMPT_PARAGRAPH, TOOL_DESCRIPTION_PARAGRAPH } from "./core/messages/wording.ts";
export type { GuardOptions } from "./core/options.ts";
export type { PresetName } from "./core/policy/presets.ts";
export type { LadderPace, Rung, RungPace } from "./core/policy/rungs.ts";
export type { ProgressOptions } from "./core/progress/progress-options.ts";
export type { Reason } from "./core/reason.ts";
export type { Snapshot } from "./core/snapshot.ts";
export type { GuardStats } from "./core/stats.ts";
export type { PassedOver } from "./core/step.ts";
export type { DeclaredIdentity, ToolRule, ToolRules } from "./core/tool-rule.ts";
export type { RepeatedTextOptions } from "./core/words/word-stream.ts";
export { type GuardStore, type GuardStoreOptions, guardStore } from "./guard-store.ts";

/** Without an `onFault`, a guard warns by itself. */
const WARNING_PLATFORM: Platform = { ...platform, warn: warnOnce };

/**
 * Creates a guard for one run. The default preset is `balanced`, which nudges first and stops last.
 *
 * Throws a {@link DoomloopError} for invalid options; nothing throws after that.
 */
export function createGuard(options: GuardOptions = {}): Guard {
  return createCoreGuard(options, WARNING_PLATFORM);
}

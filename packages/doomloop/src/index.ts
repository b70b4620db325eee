import type { Guard } from "./core/guard.ts";
import type { Platform } from "./core/identity/platform.ts";
import { createGuardOn, type GuardOptions } from "./create-guard.ts";
import { platform } from "./platform.ts";
import { warnOnce } from "./warn-once.ts";

export type { Lasting, Rung, Tone } from "./core/answer.ts";
export {
  type CustomDetector,
  type CustomFinding,
  type CustomSight,
  type CustomStep,
  defineDetector,
} from "./core/custom-detector.ts";
export type { Action, Decision, OwnDecision } from "./core/decision.ts";
export { LOOP_DETECTED, type LoopStop, loopStop, type StopPlace } from "./core/decision.ts";
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
export type {
  CallCycleFinding,
  DetectorKind,
  FailureStreakFinding,
  Finding,
  FindingFacts,
  FindingKind,
  FleetFinding,
  OutcomeLikeness,
  PassedOver,
  Reason,
  RepeatedCallFinding,
  RepeatedTextFinding,
  SameOutcomeFinding,
  SimilarCallFinding,
  StalledFinding,
  TestFixFinding,
  TextOnlyFinding,
} from "./core/finding.ts";
export type { FleetMember, FleetReport, FleetVerdict } from "./core/fleet-member.ts";
export type { FleetScope } from "./core/fleet-scope.ts";
export type { Guard } from "./core/guard.ts";
export type { RepeatedTextOptions } from "./core/memory/word-stream.ts";
export type { MessageFacts, MessageTemplates } from "./core/messages/wording.ts";
export { REPORT_REQUEST, SYSTEM_PROMPT_PARAGRAPH, TOOL_DESCRIPTION_PARAGRAPH } from "./core/messages/wording.ts";
export type { DetectorOption, DetectorOptions } from "./core/options.ts";
export type { Levels } from "./core/policy/levels.ts";
export type { PresetName } from "./core/policy/presets.ts";
export type { Snapshot } from "./core/snapshot.ts";
export type { GuardStats } from "./core/stats.ts";
export type { DeclaredIdentity, ToolRule, ToolRules } from "./core/tool-rule.ts";
export type { CountRules } from "./counting/count-rules.ts";
export type { GuardOptions } from "./create-guard.ts";
export { type GuardStore, type GuardStoreOptions, guardStore } from "./guard-store.ts";

/** Without an `onFault`, a guard warns by itself. */
const WARNING_PLATFORM: Platform = { ...platform, warn: warnOnce };

/**
 * Creates a guard for one run. The default preset is `balanced`, which nudges first and stops last.
 *
 * Throws a {@link DoomloopError} for invalid options; nothing throws after that.
 */
export function createGuard(options: GuardOptions = {}): Guard {
  return createGuardOn(options, WARNING_PLATFORM);
}

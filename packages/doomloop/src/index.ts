export type { Lasting, Rung, Tone } from "./core/answer.ts";
export { type Action, type Decision, LOOP_DETECTED, type OwnDecision } from "./core/decision.ts";
export { DoomloopError, type DoomloopErrorCode, isDoomloopError } from "./core/doomloop-error.ts";
export type {
  AgentEvent,
  CallEvent,
  CompactionEvent,
  OpinionEvent,
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
  OpinionFinding,
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
export type { FleetScope } from "./core/memory/step.ts";
export type { RepeatedTextOptions } from "./core/memory/word-stream.ts";
export type { MessageFacts, MessageTemplates } from "./core/messages/wording.ts";
export { REPORT_REQUEST, SYSTEM_PROMPT_PARAGRAPH, TOOL_DESCRIPTION_PARAGRAPH } from "./core/messages/wording.ts";
export type { DetectorOption, DetectorOptions } from "./core/options.ts";
export type { Levels, PresetName } from "./core/policy/levels.ts";
export type { DeclaredIdentity, ToolRule, ToolRules } from "./core/policy/tool-rules.ts";
export type { OpinionVerdict, Question, QuestionReason } from "./core/question.ts";
export type { Snapshot } from "./core/snapshot.ts";
export type { GuardStats } from "./core/stats.ts";
export type { CountRules } from "./counting/count-rules.ts";
export { createGuard, type GuardOptions } from "./create-guard.ts";
export type { FleetMember, FleetReport, FleetVerdict } from "./fleet/fleet-member.ts";
export { type GuardStore, type GuardStoreOptions, guardStore } from "./guard-store.ts";
export type { CallOutcome, Guard, GuardedCall } from "./guarded-call.ts";
export { type LoopStop, loopStop, type StopPlace } from "./host/loop-stop.ts";

import { type HostAbilities, withinAbilities } from "../../host/abilities.ts";
import type { Finding, LoopStop, Rung } from "../../index.ts";
import type { Dialect, HookMoment } from "./dialect.ts";

/** The files as they were when the user last spoke. */
export interface RollbackPoint {
  /** The top of the workspace. An agent may change its folder in between. */
  readonly root: string;
  readonly checkpoint: string;
}

/** What a run needs to start over. */
export interface Rollback {
  /** The time of the user's prompt. */
  readonly prompt: number;
  /** Undefined until it is made, if it could not be made, and after it was used: a run starts over once for each prompt. */
  readonly point?: RollbackPoint;
  /** The checkpoint from when the agent was first told about a loop. If files have changed since, it is not a loop. */
  readonly told?: { readonly loop: string; readonly checkpoint: string };
}

/** What to do for a run that may start over, after its state is saved. */
export type RollbackFollowUp =
  | {
      readonly type: "checkpoint";
      readonly prompt: number;
      /** The loop that the agent is told about. Undefined for a prompt. */
      readonly loop?: string;
      /** The top of the workspace, if it is known. */
      readonly root?: string;
    }
  | {
      readonly type: "restore";
      readonly point: RollbackPoint;
      /** The checkpoint from when the agent was first told. */
      readonly told: string | undefined;
      readonly findings: readonly Finding[];
    };

export interface RollbackMoment {
  /** The time, if the user has just spoken. */
  readonly prompt: number | undefined;
  /** Why the run is stopped, if files may be put back now. */
  readonly stop: LoopStop | undefined;
  /** The loop that the agent is told about now. */
  readonly loop: string | undefined;
}

/** What to do with the files now, and what the run needs to start over later. */
export function rollbackAfter(
  rollback: Rollback | undefined,
  { prompt, stop, loop }: RollbackMoment,
): { readonly followUp: RollbackFollowUp | undefined; readonly next: Rollback | undefined } {
  // Until a prompt has its checkpoint, the run cannot start over. The previous checkpoint would undo the work for the previous prompt.
  if (prompt !== undefined) return { followUp: { type: "checkpoint", prompt }, next: { prompt } };
  if (rollback?.point === undefined) return { followUp: undefined, next: rollback };
  const { point, told } = rollback;
  if (stop?.action === "restart") {
    const checkpoint = told?.loop === stop.finding?.loop ? told?.checkpoint : undefined;
    return {
      followUp: { type: "restore", point, told: checkpoint, findings: stop.findings },
      next: { prompt: rollback.prompt },
    };
  }
  if (loop === undefined || loop === told?.loop) return { followUp: undefined, next: rollback };
  const { root } = point;
  return {
    followUp: { type: "checkpoint", prompt: rollback.prompt, loop, root },
    next: { prompt: rollback.prompt, point },
  };
}

/**
 * Whether starting over may help: the loop consists of failing attempts. An agent that reads the same thing again and again, or runs tests
 * that pass, has done nothing that should be undone.
 */
export function isFailing(finding: Finding | undefined): boolean {
  switch (finding?.kind) {
    case "failure-streak":
    case "test-fix":
      return true;
    case "repeated-call":
    case "similar-call":
    case "same-outcome":
      return finding.evidence.isFailing;
    default:
      return false;
  }
}

export const RESTARTING_LADDER: readonly Rung[] = ["nudge", "nudge", "block", "restart", "stop"];

/**
 * Whether files may be put back now. If the agent says when all calls of an answer are over, not before that: other calls may still write.
 * Otherwise not before a call that cannot be refused, because it would run on the restored files.
 */
export function isQuiet({ type }: HookMoment, { tellsRounds, abilities }: Dialect): boolean {
  if (tellsRounds) return type === "batch";
  return type === "result" || (type === "call" && abilities.block);
}

/** The words for a run that does not start over now, or at all: those of a refusal or of a warning. */
export function wordsInstead({ message, finding }: LoopStop, abilities: HostAbilities, isCall: boolean): string {
  const able = { ...abilities, stop: "none", restart: false } as const;
  const decision = { action: "restart", message, ...(finding && { finding }) } as const;
  return withinAbilities(decision, able, isCall ? "call" : "result").message ?? message;
}

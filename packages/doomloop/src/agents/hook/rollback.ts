import { type HostAbilities, withinAbilities } from "../../host/abilities.ts";
import type { Finding, LoopStop, Rung } from "../../index.ts";
import type { Dialect, HookMoment } from "./dialect.ts";

/** How the files were when the user last spoke. */
export interface RollbackPoint {
  /** The top of the workspace. An agent may change its folder meanwhile. */
  readonly root: string;
  readonly checkpoint: string;
}

/** What a run knows of its way back. */
export interface Rollback {
  /** The time of the user's prompt that it belongs to. */
  readonly prompt: number;
  /** Undefined while it is made, where it could not be made, and once it was gone: a run starts over once a prompt. */
  readonly point?: RollbackPoint;
  /** The checkpoint of when the agent was first told of a loop: if anything has changed since, it is none. */
  readonly told?: { readonly loop: string; readonly checkpoint: string };
}

/** What is left to do for a run that may start over, when its state is kept. */
export type RollbackFollowUp =
  | {
      readonly type: "checkpoint";
      readonly prompt: number;
      /** The loop that the agent is told of, where it is not for the prompt itself. */
      readonly loop?: string;
      /** The top of the workspace, where it is known. */
      readonly root?: string;
    }
  | {
      readonly type: "restore";
      readonly point: RollbackPoint;
      /** The checkpoint of when the agent was first told. */
      readonly told: string | undefined;
      readonly findings: readonly Finding[];
    };

export interface RollbackMoment {
  /** When the user spoke, if it is that. */
  readonly prompt: number | undefined;
  /** What the run is ended for, where files may be put back now. */
  readonly stop: LoopStop | undefined;
  /** The loop that the agent is told of now. */
  readonly loop: string | undefined;
}

/** What is to be done with the files, and what the run knows of its way back afterwards. */
export function rollbackAfter(
  rollback: Rollback | undefined,
  { prompt, stop, loop }: RollbackMoment,
): { readonly followUp: RollbackFollowUp | undefined; readonly next: Rollback | undefined } {
  // Until a prompt's checkpoint is made there is no way back: the one before it would take away what was done for the prompt before.
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
 * Whether a loop is one that starting over may lead out of: one of attempts that fail. Who looks at the same thing again and again, or runs
 * tests that pass, has done nothing that is better undone.
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
 * Whether files may be put back now. Where an agent tells that all calls of an answer are over, not before: others of them may be
 * writing. A call that cannot be refused would run in the files that were put back.
 */
export function isQuiet({ type }: HookMoment, { tellsRounds, abilities }: Dialect): boolean {
  if (tellsRounds) return type === "batch";
  return type === "result" || (type === "call" && abilities.block);
}

/** The words where a run does not start over, at once or at all: those of a refusal or of a warning. */
export function wordsInstead({ message, finding }: LoopStop, abilities: HostAbilities, isCall: boolean): string {
  const able = { ...abilities, stop: "none", restart: false } as const;
  const decision = { action: "restart", message, ...(finding && { finding }) } as const;
  return withinAbilities(decision, able, isCall ? "call" : "result").message ?? message;
}

import { type HostAbilities, withinAbilities } from "../../host/abilities.ts";
import type { Finding, LoopStop, Rung } from "../../index.ts";
import type { Dialect, HookMoment } from "./dialect.ts";
import type { CheckReading } from "./read-check.ts";

/** The files at one moment. */
export interface RollbackPoint {
  /** The top of the workspace. An agent may change its folder in between. */
  readonly root: string;
  readonly checkpoint: string;
}

/** When a check began to fail the way it fails now. */
interface FailingCheck {
  /** The check's call. */
  readonly call: string;
  readonly failure: string;
  readonly at: number;
  /** How many other calls that may write files had begun by then. */
  readonly edits: number;
  /** The files at that time. */
  readonly checkpoint: string;
}

/** Between these times, a call that may write files was under way. */
export type CallWindow = readonly [from: number, to: number];

/** What a run needs to start over. */
export interface Rollback {
  /** The time of the user's prompt. */
  readonly prompt: number;
  /** Undefined until it is made, if it could not be made, and after it was used: a run starts over once for each prompt. */
  readonly point?: RollbackPoint;
  /** The checkpoint from when the agent was first told about a loop, and the call of that loop. If files have changed since, it is not a loop. */
  readonly told?: { readonly loop: string; readonly checkpoint: string; readonly call: string | undefined };
  /** Checks that fail since the work was last confirmed. Files never go back further. */
  readonly failing?: readonly FailingCheck[];
  /** When the files were last kept for a failing check. */
  readonly markedAt?: number;
  /** Calls that may write files, since the work was last confirmed. */
  readonly windows?: readonly CallWindow[];
  /** Whether the last window is still open. */
  readonly isWriting?: boolean;
  /** How many calls that may write files have begun. A checkpoint during which one began is of no use. */
  readonly begun?: number;
  /** Those of them that are no failing check. */
  readonly edits?: number;
}

/** Why the files are kept: for a prompt, for a loop that the agent is told about, or for a check that began to fail. */
type CheckpointReason =
  | { readonly type: "prompt" }
  | { readonly type: "told"; readonly loop: string; readonly call: string | undefined }
  | ({ readonly type: "failing" } & Omit<FailingCheck, "checkpoint">);

/** What to do for a run that may start over, after its state is saved. */
export type RollbackFollowUp =
  | {
      readonly type: "checkpoint";
      readonly prompt: number;
      readonly reason: CheckpointReason;
      /** The top of the workspace, if it is known. */
      readonly root?: string;
      /** How many calls had begun. */
      readonly begun: number;
    }
  | {
      readonly type: "restore";
      readonly point: RollbackPoint;
      /** The checkpoint from when the agent was first told. */
      readonly told: string | undefined;
      /** When the looping check began to fail. Undefined if the loop says nothing about the files: then they stay. */
      readonly failing: FailingCheck | undefined;
      readonly windows: readonly CallWindow[];
      readonly findings: readonly Finding[];
    };

export interface RollbackMoment {
  readonly at: number;
  /** The time, if the user has just spoken. */
  readonly prompt: number | undefined;
  /** Why the run is stopped, if files may be put back now. */
  readonly stop: LoopStop | undefined;
  /** The loop that the agent is told about now. */
  readonly loop: string | undefined;
  /** The call that the event is about. */
  readonly call: string | undefined;
  /** What a result says about the work. */
  readonly check: CheckReading | undefined;
  /** Whether a call that may write files begins, or a call has ended. */
  readonly writing: "begins" | "ends" | undefined;
  /** Whether other calls of the same answer are under way. */
  readonly hasOpenCalls: boolean;
}

/** Files are kept for failing checks this often at most. */
const MARKED_EVERY_MS = 10_000;
const MAX_FAILING = 8;
/** What an earlier call wrote counts as somebody else's work, and stays. */
const MAX_WINDOWS = 256;
/**
 * More than this is not the mess of a loop. Where a check has failed in the same way all along, for instance because it always did, the
 * work since may be good.
 */
const MAX_EDITS = 10;
const MAX_AGE_MS = 1_800_000;

interface RollbackStep {
  readonly followUp: RollbackFollowUp | undefined;
  readonly next: Rollback | undefined;
}

/** What to do with the files now, and what the run needs to start over later. */
export function rollbackAfter(rollback: Rollback | undefined, moment: RollbackMoment): RollbackStep {
  const { prompt, stop } = moment;
  // Until a prompt has its checkpoint, the run cannot start over.
  if (prompt !== undefined)
    return { followUp: { type: "checkpoint", prompt, reason: { type: "prompt" }, begun: 0 }, next: { prompt } };
  if (rollback === undefined) return { followUp: undefined, next: undefined };
  const { point, told, windows = [] } = rollback;
  if (point !== undefined && stop?.action === "restart") {
    const known = told?.loop === stop.finding?.loop ? told : undefined;
    return {
      followUp: {
        type: "restore",
        point,
        told: known?.checkpoint,
        failing: known && beginningOf(rollback, known.call, moment.at),
        windows,
        findings: stop.findings,
      },
      next: { prompt: rollback.prompt },
    };
  }
  const next = withFailing(withWindows(rollback, moment), moment);
  if (point === undefined) return { followUp: undefined, next };
  return keepFor(next, point, moment);
}

/** Where a loop of this call began, if what happened since is no more than a loop. */
function beginningOf({ failing = [], edits = 0 }: Rollback, call: string | undefined, now: number) {
  const check = failing.find((one) => one.call === call);
  const isLoop = check !== undefined && edits - check.edits <= MAX_EDITS && now - check.at <= MAX_AGE_MS;
  return isLoop ? check : undefined;
}

/** Keeps the files if the agent is told about a loop, or if a check begins to fail. */
function keepFor(rollback: Rollback, { root }: RollbackPoint, moment: RollbackMoment): RollbackStep {
  const { prompt, told, begun = 0, edits = 0, failing = [], markedAt } = rollback;
  const { loop, call, check, at } = moment;
  const followUp = { type: "checkpoint", prompt, root, begun } as const;
  if (loop !== undefined && loop !== told?.loop) {
    const { told: _, ...next } = rollback;
    return { followUp: { ...followUp, reason: { type: "told", loop, call } }, next };
  }
  const isDue = markedAt === undefined || Math.abs(at - markedAt) >= MARKED_EVERY_MS;
  if (check?.verdict !== "failed" || call === undefined || moment.hasOpenCalls || !isDue)
    return { followUp: undefined, next: rollback };
  if (failing.some((one) => one.call === call)) return { followUp: undefined, next: rollback };
  const reason = { type: "failing", call, failure: check.failure, at, edits } as const;
  return { followUp: { ...followUp, reason }, next: { ...rollback, markedAt: at } };
}

/** A check that passes confirms all the work so far. A check that fails in another way than before has come somewhere. */
function withFailing(rollback: Rollback, { check, call }: RollbackMoment): Rollback {
  const { failing = [], windows: _, ...rest } = rollback;
  if (check?.verdict === "confirmed") return { ...rest, failing: [] };
  if (check === undefined || !failing.some((one) => one.call === call && one.failure !== check.failure))
    return rollback;
  return { ...rollback, failing: failing.filter((one) => one.call !== call) };
}

function withWindows(rollback: Rollback, { writing, at, call }: RollbackMoment): Rollback {
  const { windows = [], isWriting = false, begun = 0, edits = 0, failing = [] } = rollback;
  const latest = windows.at(-1);
  if (writing === "begins") {
    const more: readonly CallWindow[] = isWriting ? windows : [...windows, [at, at]];
    const isCheck = failing.some((one) => one.call === call);
    const counts = { begun: begun + 1, edits: isCheck ? edits : edits + 1 };
    return { ...rollback, windows: more.slice(-MAX_WINDOWS), isWriting: true, ...counts };
  }
  if (writing !== "ends" || latest === undefined) return rollback;
  return { ...rollback, windows: [...windows.slice(0, -1), [latest[0], at]], isWriting: false };
}

/** Remembers a checkpoint. One during which the next call began is of no use: it may have half of what that call wrote. */
export function withCheckpoint(
  rollback: Rollback,
  { prompt, reason, begun }: Extract<RollbackFollowUp, { type: "checkpoint" }>,
  point: RollbackPoint,
): Rollback {
  // The user has spoken again.
  if (rollback.prompt !== prompt) return rollback;
  if (reason.type === "prompt") return { ...rollback, point };
  if ((rollback.begun ?? 0) !== begun) return rollback;
  const { checkpoint } = point;
  if (reason.type === "told") return { ...rollback, told: { loop: reason.loop, call: reason.call, checkpoint } };
  const { type: _, ...failing } = reason;
  return { ...rollback, failing: [...(rollback.failing ?? []), { ...failing, checkpoint }].slice(-MAX_FAILING) };
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

export const RESTARTING_LADDER: readonly Rung[] = ["nudge", "block", "restart", "stop"];

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

import { createHash } from "node:crypto";
import { SCHEDULE_MS } from "../../core/evidence/numbers.ts";
import type { Digest } from "../../core/identity/digest.ts";
import { MESSAGE_PREFIX } from "../../core/outcome/read-outcome.ts";
import { readCall } from "../../core/progress/read-call.ts";
import type { Effect } from "../../core/progress/read-command.ts";
import { createHostRun } from "../../host/create-host-run.ts";
import type { HostRun } from "../../host/host-run.ts";
import { type Dialect, type HookAnswer, type HookCall, type HookInput, NOTHING } from "./dialect.ts";
import type { HookSettings, HookState } from "./hook-state.ts";
import { resumeGuard } from "./resume-guard.ts";
import { digestWithoutNumbers } from "./turns.ts";

/**
 * A script may call an agent again and again. Each call is a session of its own, with a prompt that looks like a user's. Sessions of one
 * folder that follow each other, get the same prompt and end with the same answer are the turns of one run.
 */
export interface FolderSessions {
  readonly prompt: Digest;
  /** The latest session, and when it ended. */
  readonly session: string;
  readonly endedAt?: number;
  /** How the one before it ended. */
  readonly answer?: Digest;
  /** How long nobody was at work between the sessions, all in all. This is the clock of the run: pauses count, work does not. */
  readonly waitedMs: number;
  /** The latest session did something, so that the next one is no repetition. */
  readonly hasWorked?: boolean;
}

/** What became of an event: the state of the folder, and what the agent is told. */
interface FolderStep {
  readonly state: HookState;
  readonly answer: HookAnswer;
  /** An end that an earlier session was told, too. */
  readonly isOldNews?: boolean;
}

/** Calls that leave everything as it was. */
const IDLE: ReadonlySet<Effect> = new Set<Effect>(["look", "watch", "wait", "test", "move"]);

/** The name of a folder's sessions among the runs. */
export function folderRunOf(agent: string, folder: string): string {
  return createHash("sha256")
    .update(JSON.stringify([agent, "sessions of a folder", folder]))
    .digest("hex")
    .slice(0, 32);
}

/** Follows the sessions of a folder. Undefined if the event says nothing about them. */
export function followSessions(
  input: HookInput,
  dialect: Dialect,
  settings: HookSettings,
  saved: HookState | undefined,
): FolderStep | undefined {
  const { moment, session } = input;
  if (moment.type === "user" && moment.isOfHost === true) return undefined;
  if (moment.type === "user") return begin(digestWithoutNumbers(moment.text), input, dialect, { settings, saved });
  const sessions = saved?.sessions;
  if (sessions?.session !== session || sessions.hasWorked === true) return undefined;
  if (moment.type === "turn") return end(moment.text, input, dialect, { settings, saved: saved! });
  if (moment.type !== "call" || !isWork(moment.call)) return undefined;
  return { state: { ...saved!, sessions: { ...sessions, hasWorked: true } }, answer: NOTHING };
}

interface Terms {
  readonly settings: HookSettings;
  readonly saved: HookState | undefined;
}

/** A prompt arrives. If it is the same as in the session before, that one's words are due, or its end. */
function begin(prompt: Digest, input: HookInput, dialect: Dialect, { settings, saved }: Terms): FolderStep {
  const { session } = input;
  const before = saved?.sessions;
  const pauseMs = settings.now - (before?.endedAt ?? Number.NEGATIVE_INFINITY);
  const isNext = before?.prompt === prompt && before.hasWorked !== true && pauseMs < SCHEDULE_MS;
  // A session with several prompts is a conversation.
  const hasWorked = before?.session === session;
  const waitedMs = isNext ? before.waitedMs + Math.max(0, pauseMs) : 0;
  const { run, leave } = resume(input, dialect, waitedMs, {
    settings,
    saved: isNext && !hasWorked ? saved : undefined,
  });
  const stop = run.stopped();
  const count = saved?.finding?.count ?? 0;
  const words = stop === undefined ? run.words() : undefined;
  const answer = isNext ? { answer: before.answer! } : {};
  const sessions = { prompt, session, waitedMs, ...answer, ...(hasWorked && { hasWorked }) };
  if (stop !== undefined && dialect.prompt?.end === true)
    return {
      state: { ...leave({ ...sessions, endedAt: settings.now }), isEndNoted: true },
      answer: { type: "end", explanation: endOf(count) },
      isOldNews: saved?.isEndNoted === true,
    };
  const isTold = words !== undefined && dialect.prompt?.words === true;
  return { state: leave(sessions), answer: isTold ? { type: "words", words: wordsFor(count) } : NOTHING };
}

/** A session of the folder ends with these words. If other hooks make it go on, the first end counts. */
function end(text: string, input: HookInput, dialect: Dialect, { settings, saved }: Terms): FolderStep {
  const { sessions } = saved!;
  const answer = digestWithoutNumbers(text);
  const ended = { ...sessions!, endedAt: settings.now, answer };
  if (sessions?.endedAt !== undefined) return { state: { ...saved!, sessions: ended }, answer: NOTHING };
  const isAlike = sessions?.answer === answer;
  const { run, leave } = resume(input, dialect, ended.waitedMs, { settings, saved: isAlike ? saved : undefined });
  run.text(text);
  return { state: leave(ended), answer: NOTHING };
}

interface ResumedSessions {
  readonly run: HostRun;
  leave(sessions: FolderSessions): HookState;
}

function resume(input: HookInput, dialect: Dialect, at: number, { settings, saved }: Terms): ResumedSessions {
  const abilities = { nudge: "result", block: false, stop: dialect.prompt?.end === true ? "clean" : "none" } as const;
  const { guard, madeWith, isGap, hasBeenAllowed } = resumeGuard(input, settings, saved, abilities);
  let finding = saved?.finding;
  const run = createHostRun({
    guard: {
      observe(event) {
        const decision = guard.observe(event);
        finding = decision.finding ?? finding;
        return decision;
      },
    },
    abilities,
    options: {},
    saved: saved && { ...saved.run, ...((isGap || hasBeenAllowed) && { stop: undefined }) },
    now: () => at,
    reportFault: settings.reportFault,
  });
  const { allowedAt = saved?.allowedAt, missedEvents = 0 } = settings;
  const leave = (sessions: FolderSessions): HookState => ({
    guard,
    madeWith,
    run: run.save(),
    at,
    missedEvents,
    sessions,
    ...(finding && { finding, hasSpoken: true }),
    ...(allowedAt !== undefined && { allowedAt }),
  });
  return { run, leave };
}

function isWork({ tool, args }: HookCall): boolean {
  return !IDLE.has(readCall(tool, args).effect);
}

function wordsFor(count: number): string {
  return [
    `${MESSAGE_PREFIX} The last ${count} sessions in this folder got this prompt, changed nothing and gave the same answer.`,
    "1. If something is left to do, do it now.",
    "2. If you are blocked, say what blocks you.",
    "3. If all is done, say that nobody needs to ask again.",
  ].join("\n");
}

function endOf(count: number): string {
  const what = `Stopped: the last ${count} sessions in this folder got the same prompt, changed nothing and gave the same answer.`;
  return `${what} To go on, change the prompt, wait five minutes, or run \`doomloop allow\`.`;
}

import { hintOf } from "../../core/hints/calls.ts";
import { type Digest, digestOf, digestOfAll } from "../../core/identity/digest.ts";
import { MESSAGE_PREFIX } from "../../core/reading/result.ts";
import type { Effect } from "../../core/step.ts";
import { createHostRun } from "../../host/create-host-run.ts";
import type { HostRun } from "../../host/host-run.ts";
import { contentId, type Dialect, type HookAnswer, type HookCall, type HookInput, NOTHING } from "./dialect.ts";
import { type HookSettings, type HookState, nameOfRun } from "./hook-state.ts";
import { resumeGuard } from "./resume-guard.ts";

/**
 * A script may call an agent again and again. Each call is a session of its own, with a prompt that looks like a user's. Sessions of one
 * folder that follow each other, get the same prompt, see the same and end with the same answer are the turns of one run.
 */
export interface FolderSessions {
  readonly prompt: Digest;
  /** The latest session, and when it ended. */
  readonly session: string;
  readonly endedAt?: number;
  /** What the latest session has seen so far: its calls with their results. */
  readonly seen: Digest;
  /** What the one before it saw and said. */
  readonly course?: Digest;
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

/** A script that waits longer before the next session keeps a schedule. */
const LONGEST_PAUSE_MS = 60_000;
/** So much of a result is compared. */
const MAX_COMPARED = 65_536;

/** Calls that leave everything as it was. */
const IDLE: ReadonlySet<Effect> = new Set<Effect>(["look", "watch", "wait", "test", "move"]);

const NOTHING_SEEN = digestOf("");

/** The name of a folder's sessions among the runs. */
export function folderRunOf(agent: string, folder: string): string {
  return nameOfRun(agent, "sessions of a folder", folder);
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
  if (moment.type === "user") return begin(digestOf(moment.text ?? ""), input, dialect, { settings, saved });
  const sessions = saved?.sessions;
  if (sessions?.session !== session || sessions.hasWorked === true) return undefined;
  if (moment.type === "turn") return end(moment.text, input, dialect, { settings, saved: saved! });
  if (moment.type !== "call" && moment.type !== "result") return undefined;
  const more = moment.type === "call" ? contentId(moment.call.tool, moment.call.args) : textIn(moment.output);
  const hasWorked = moment.type === "call" && isWork(moment.call);
  const seen = digestOfAll("seen", sessions.seen, more);
  return { state: { ...saved!, sessions: { ...sessions, seen, ...(hasWorked && { hasWorked }) } }, answer: NOTHING };
}

function textIn(output: unknown): string {
  return (JSON.stringify(output) ?? "").slice(0, MAX_COMPARED);
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
  const isNext = before?.prompt === prompt && before.hasWorked !== true && pauseMs < LONGEST_PAUSE_MS;
  // A session with several prompts is a conversation.
  const hasWorked = before?.session === session;
  const { run, leave } = resume(input, dialect, { settings, saved: isNext && !hasWorked ? saved : undefined });
  const stop = run.stopped();
  const count = saved?.finding?.count ?? 0;
  const words = stop === undefined ? run.words() : undefined;
  const course = isNext && before.course !== undefined ? { course: before.course } : {};
  const sessions = { prompt, session, seen: NOTHING_SEEN, ...course, ...(hasWorked && { hasWorked }) };
  if (stop !== undefined && dialect.prompt?.end === true)
    return {
      state: { ...leave({ ...sessions, endedAt: settings.now }), isEndNoted: true },
      answer: { type: "end", explanation: endOf(count) },
      isOldNews: saved?.isEndNoted === true,
    };
  const isTold = words !== undefined && dialect.prompt?.words === true;
  return { state: leave(sessions), answer: isTold ? { type: "words", words: sessionWords(count) } : NOTHING };
}

/** A session of the folder ends with these words. If other hooks make it go on, the first end counts. */
function end(text: string, input: HookInput, dialect: Dialect, { settings, saved }: Terms): FolderStep {
  const { sessions } = saved!;
  const course = digestOfAll("course", sessions!.seen, text);
  const ended = { ...sessions!, endedAt: settings.now, course };
  if (sessions?.endedAt !== undefined) return { state: { ...saved!, sessions: ended }, answer: NOTHING };
  const isAlike = sessions?.course === course;
  const { run, leave } = resume(input, dialect, { settings, saved: isAlike ? saved : undefined });
  run.text(text);
  return { state: leave(ended), answer: NOTHING };
}

interface ResumedSessions {
  readonly run: HostRun;
  leave(sessions: FolderSessions): HookState;
}

function resume(input: HookInput, dialect: Dialect, { settings, saved }: Terms): ResumedSessions {
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
    // How long a session takes does not matter.
    now: () => 0,
    reportFault: settings.reportFault,
  });
  const { allowedAt = saved?.allowedAt, missedEvents = 0 } = settings;
  const leave = (sessions: FolderSessions): HookState => ({
    guard,
    madeWith,
    run: run.save(),
    at: 0,
    missedEvents,
    sessions,
    ...(finding && { finding, hasSpoken: true }),
    ...(allowedAt !== undefined && { allowedAt }),
  });
  return { run, leave };
}

function isWork({ tool, args }: HookCall): boolean {
  return !IDLE.has(hintOf(tool, args).effect);
}

/** What a session is told that repeats those before it. */
export function sessionWords(count: number): string {
  const what = `The last ${count} sessions in this folder got this prompt, changed nothing and gave the same answer.`;
  return `${MESSAGE_PREFIX} ${what} Check what is still open, and do it. If you can't, say exactly what stops you.`;
}

function endOf(count: number): string {
  const what = `Stopped: the last ${count} sessions in this folder got the same prompt, changed nothing and gave the same answer.`;
  return `${what} To go on, change the prompt, wait a minute, or run \`doomloop allow\`.`;
}

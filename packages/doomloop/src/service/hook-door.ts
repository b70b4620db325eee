import type { IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { TRIAL_FIELD } from "../agents/doctor/agent-doctor.ts";
import { createAgentEvents } from "../agents/hook/agent-events.ts";
import { type AnsweredEvent, answerEvent, type HookMemory, type HookWiring } from "../agents/hook/answer-event.ts";
import { folderRules } from "../agents/hook/folder-rules.ts";
import { createInterventionLog, type LogEntry } from "../agents/hook/intervention-log.ts";
import { withCheckpoint } from "../agents/hook/latest-checkpoint.ts";
import { isPaused } from "../agents/hook/pause.ts";
import { statusLine } from "../agents/hook/status-line.ts";
import { MAX_EVENT_BYTES } from "../agents/hook-client/resident-address.ts";
import { wiredPlaces } from "../agents/settings/wired-files.ts";
import { recordOf } from "../transcripts/foreign-value.ts";
import { createSessionOpinions } from "./session-opinions.ts";
import type { Sessions } from "./sessions.ts";

export interface HookDoorOptions {
  /** The folder of what hooks keep. */
  readonly state: string;
  readonly sessions: Sessions;
  now(): number;
  /**
   * How long an answer waits for an agent to be halted. Then that goes on by itself.
   * @default 400
   */
  readonly momentMs?: number | undefined;
  onFault(fault: unknown): void;
  /** Called with what was said to an agent or a person. */
  onEntry(entry: LogEntry): void;
}

/** What a request came to. */
interface DoorAnswer {
  readonly text: string;
  /** The run that the answer is for. */
  readonly run?: string;
}

export interface HookDoor {
  /** Answers an event. `path` and `query` are those of the request. Never rejects. */
  answer(path: string, query: URLSearchParams, body: unknown): Promise<DoorAnswer>;
  readonly events: ReturnType<typeof createAgentEvents>;
}

export const SILENCE: DoorAnswer = { text: "" };
const HOOK = /^\/hook\/([a-z-]{1,40})$/;
const STATUS_LINE = /^\/status-line\/([a-z-]{1,40})$/;
const MAX_TRIALS = 16;
const NOT_HALTED =
  "The agent takes one turn after another and does nothing, and could not be stopped. Look at it, and end it yourself.";

/** Answers the events of coding agents. */
export function createHookDoor({ state, sessions, now, momentMs = 400, onFault, onEntry }: HookDoorOptions): HookDoor {
  const rulesOf = (folder: string | undefined) => folderRules(state, folder);
  const log = createInterventionLog(state);
  const events = createAgentEvents(state, now, onFault);
  const keep = (entry: LogEntry): void => {
    try {
      log.note(entry);
    } catch (fault) {
      onFault(fault);
    }
  };
  const memory: HookMemory = {
    get: (run) => sessions.get(run),
    set: (run, one) => sessions.set(run, one),
    missedEvents: (session) => sessions.missedEvents(session),
    rulesOf,
    opinionOf: createSessionOpinions({ state, now, onFault, onAnswer: keep }),
    noteUnreadable: events.noteUnreadable,
    now,
    reportFault: onFault,
  };
  const trials = new Map<string, ReturnType<HookMemory["get"]>>();
  const trialMemory = (at: number): HookMemory => ({
    get: (run) => trials.get(run),
    set(run, one) {
      trials.set(run, one);
      if (trials.size > MAX_TRIALS) trials.delete(trials.keys().next().value!);
    },
    missedEvents: () => 0,
    rulesOf: () => ({ tools: {} }),
    now: () => at,
    reportFault: onFault,
  });

  const note = (noted: LogEntry | undefined, isOldNews = false): void => {
    if (noted === undefined) return;
    const entry = withCheckpoint(state, noted);
    keep(entry);
    if (!isOldNews) onEntry(entry);
  };

  /** Notes what was said, and halts the agent if that is asked for. */
  const followUp = async ({ halt, entry, isOldNews }: AnsweredEvent): Promise<void> => {
    note(entry, isOldNews);
    if (halt === undefined) return;
    const task = halt.run(wiredPlaces(state, halt.host)).then((hasWorked) => {
      // The person has to end the agent.
      if (!hasWorked && entry !== undefined) note({ ...entry, at: now(), said: "alarm", words: NOT_HALTED });
    });
    // Not for long, because the agent does nothing meanwhile.
    await Promise.race([task, wait(momentMs, undefined, { ref: false })]);
  };

  const answerHook = async (host: string, query: URLSearchParams, body: unknown): Promise<DoorAnswer> => {
    const trialAt = recordOf(body)?.[TRIAL_FIELD];
    const isTrial = typeof trialAt === "number";
    if (!isTrial && isPaused(state, now())) return SILENCE;
    const answered = answerEvent(body, wiringOf(host, query), isTrial ? trialMemory(trialAt) : memory);
    if (answered === undefined) return SILENCE;
    const { run, output } = answered;
    if (!isTrial) await followUp(answered);
    return { text: output === undefined ? "" : JSON.stringify(output), run };
  };

  return {
    events,
    async answer(path, query, body) {
      try {
        const [, host] = HOOK.exec(path) ?? [];
        if (host !== undefined) return await answerHook(host, query, body);
        const [, shown] = STATUS_LINE.exec(path) ?? [];
        if (shown === undefined) return SILENCE;
        return {
          text: statusLine(body, {
            host: shown,
            get: (run) => sessions.get(run),
            rulesOf,
            isPaused: isPaused(state, now()),
          }),
        };
      } catch (fault) {
        onFault(fault);
        sessions.noteMissed(sessionIn(body));
        return SILENCE;
      }
    },
  };
}

/** The session of an event that could not be answered. */
function sessionIn(body: unknown): string | undefined {
  try {
    return sessionOf(JSON.stringify(body) ?? "");
  } catch {
    // It is nested too deeply.
    return undefined;
  }
}

/** The names that agents have for it. */
const SESSION = /"(?:session_id|sessionId|sessionID|taskId|conversation_id|conversationId)"\s{0,9}:\s{0,9}"([^"\\]+)"/;
const HEAD_LENGTH = 64_000;

/** The session of an event, as far as its JSON was read. */
function sessionOf(json: string): string | undefined {
  return SESSION.exec(json.slice(0, HEAD_LENGTH))?.[1];
}

/** The header in which an agent that asks over HTTP says what its environment says. */
export const SEEN_HEADER = "X-Doomloop-Seen";

/** How the hook was wired, as its command says. */
function wiringOf(host: string, query: URLSearchParams): HookWiring {
  const mode = query.get("mode");
  return {
    host,
    mode: mode === "attended" || mode === "unattended" ? mode : undefined,
    startsOver: query.get("start-over") === "1",
    seen: query.get("seen") ?? undefined,
    canAsk: query.get("ask") !== "0",
  };
}

/** What was read of an event. */
interface ReadEvent {
  readonly value: unknown;
  /** Whether it is complete: the client did not give up in between. */
  readonly isWhole: boolean;
  /** The session that an incomplete event belongs to, if that much arrived. */
  readonly session?: string | undefined;
}

/** Reads JSON from a request. An event that is too long contains a file or an output that hardly any agent has twice. */
export async function readBody(request: IncomingMessage): Promise<ReadEvent> {
  const pieces: Buffer[] = [];
  let size = 0;
  let isWhole = true;
  try {
    for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += piece.length;
      pieces.push(piece);
      if (size > MAX_EVENT_BYTES) break;
    }
  } catch {
    isWhole = false;
  }
  const text = Buffer.concat(pieces).toString("utf8");
  try {
    if (isWhole && size <= MAX_EVENT_BYTES) return { value: text === "" ? undefined : JSON.parse(text), isWhole };
  } catch {
    // It is no JSON.
  }
  return { value: undefined, isWhole: false, session: sessionOf(text) };
}

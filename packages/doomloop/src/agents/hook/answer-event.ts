import { createHash } from "node:crypto";
import { toolName } from "../../core/messages/sentence.ts";
import { recordOf } from "../../transcripts/foreign-value.ts";
import type { HookedAgent, WiredPlace } from "../coding-agent.ts";
import { hookedAgentOf } from "../index.ts";
import type { Dialect, HookAnswer, HookEnvironment, HookInput } from "./dialect.ts";
import { type FolderRules, projectOf, toolRulesOf } from "./folder-rules.ts";
import { folderRunOf, followSessions } from "./folder-sessions.ts";
import { type HookOpinion, type HookSettings, type HookState, nameOfRun } from "./hook-state.ts";
import type { LogEntry, LogPlace } from "./intervention-log.ts";
import { withinLimits } from "./limits.ts";
import { runHook } from "./run-hook.ts";

/** How an agent's hook was wired, and what its environment says. */
export interface HookWiring {
  /**
   * The name of the agent.
   * @default guessed from the input
   */
  readonly host?: string | undefined;
  /**
   * Whether somebody watches.
   * @default as the agent says; if it says nothing, somebody does
   */
  readonly mode?: "attended" | "unattended" | undefined;
  /**
   * Whether a run gets a second chance before it is ended.
   * @default false
   */
  readonly startsOver?: boolean;
  /**
   * What the agent's environment says: the values of its dialect's variables, with commas in between.
   * @default nothing
   */
  readonly seen?: string | undefined;
  /**
   * Whether a person would see a question, as far as the way of asking goes.
   * @default true
   */
  readonly canAsk?: boolean;
}

/** The runs that are known, and what is known about their projects. */
export interface HookMemory {
  get(run: string): HookState | undefined;
  set(run: string, state: HookState): void;
  /** A number that changes whenever an event of a session was missed. */
  missedEvents(session: string): number;
  rulesOf(folder: string | undefined): FolderRules;
  /**
   * Who is asked about a run where rules cannot tell. `placeOf` names the session for the log.
   * @default nobody
   */
  opinionOf?(run: string, placeOf: () => LogPlace): HookOpinion | undefined;
  /**
   * An event came in a form that the agent's hook does not know.
   * @default nothing is noted
   */
  noteUnreadable?(agent: string): void;
  now(): number;
  reportFault(fault: unknown): void;
}

/** What to print, what to note, and what else to do. */
export interface AnsweredEvent {
  readonly output: object | undefined;
  /** The run that the event belongs to. */
  readonly run: string;
  /** What belongs into the log, if anything. */
  readonly entry: LogEntry | undefined;
  /** The person was told before, about an earlier session of the same script. */
  readonly isOldNews?: boolean;
  /** How to keep the agent from starting the next turn. */
  readonly halt?: {
    /** The name of the agent. */
    readonly host: string;
    /** Resolves to whether that worked. */
    run(wired: readonly WiredPlace[]): Promise<boolean>;
  };
}

/** Answers one event of a coding agent. Undefined if the event does not matter, or cannot be read. */
export function answerEvent(value: unknown, wiring: HookWiring, memory: HookMemory): AnsweredEvent | undefined {
  const { startsOver = false, seen = "" } = wiring;
  const input = recordOf(value);
  const agent = hookedAgentOf(input ?? {}, wiring.host);
  const sent = input && agent?.hook.read(input);
  if (agent !== undefined && sent === undefined) memory.noteUnreadable?.(agent.name);
  if (input === undefined || agent === undefined || !sent) return undefined;
  const told = withinLimits(sent);
  const { hook: dialect } = agent;
  const values = seen.split(",");
  const env: HookEnvironment = Object.fromEntries((dialect.variables ?? []).map((name, at) => [name, values[at]]));
  const attendance = dialect.attendance?.(env, input);
  const rules = memory.rulesOf(told.folder);
  const mode = rules.mode ?? wiring.mode ?? attendance ?? "attended";
  if (mode === "off") return undefined;
  const read: HookInput = { ...told, canAsk: told.canAsk && wiring.canAsk !== false && attendance !== "unattended" };
  const run = runOf(agent, read);
  const now = memory.now();
  const settings = {
    isUnattended: mode === "unattended",
    startsOver,
    guardOptions: { rules: toolRulesOf(rules) },
    allowedAt: rules.allowedAt,
    now,
    missedEvents: memory.missedEvents(read.session),
    opinion: memory.opinionOf?.(run, () => placeOf(agent, read)),
    reportFault: memory.reportFault,
  };
  const before = memory.get(run);
  const { state, answer: own, nudges } = runHook(read, dialect, settings, before);
  const folderRun = mode === "unattended" ? folderRunFor(agent, read, memory) : undefined;
  const folder = folderRun === undefined ? undefined : followFolder(folderRun, dialect, read, { settings, memory });
  const answer = folder?.answer ?? own;
  const output = dialect.write(answer, read);
  // An agent may report several events of a run that has been ended. The end is noted once.
  const wasNoted = before?.isEndNoted === true && (before.run.stop !== undefined || before.turns?.isHalted === true);
  const isNews =
    (output !== undefined || answer.type === "alarm") && !(isEnd(answer) && folder === undefined && wasNoted);
  const isEndNoted = wasNoted || (isNews && isEnd(answer));
  memory.set(run, { ...state, ...(isEndNoted && { isEndNoted }), ...(folderRun !== undefined && { folderRun }) });
  const isAlarm = isAlarming(answer, dialect, state) && !isAlarming(answer, dialect, before);
  const noted = entryOf({
    agent,
    read,
    state: folder?.state ?? state,
    now,
    answer: isNews ? answer : undefined,
    nudges,
  });
  const entry = isAlarm && noted !== undefined ? { ...noted, said: "alarm" as const } : noted;
  const answered = { output, run, entry, isOldNews: folder?.isOldNews === true };
  const { halt, name: host } = agent;
  if (answer.type !== "end" || read.moment.type !== "turn" || state.turns?.isOwn !== true || halt === undefined)
    return answered;
  const runHalt = async (wired: readonly WiredPlace[]): Promise<boolean> => {
    const hasWorked = await halt(read.session, wired);
    if (hasWorked) forgetTurns(run, memory);
    return hasWorked;
  };
  return { ...answered, halt: { host, run: runHalt } };
}

/** The agent may have taken more turns before it was halted. If it goes on later, somebody wants it to, so they do not count. */
function forgetTurns(run: string, memory: HookMemory): void {
  const state = memory.get(run);
  if (state?.turns !== undefined) memory.set(run, { ...state, turns: { ...state.turns, isHalted: true } });
}

/** The sessions that this one belongs to: those of the folder that its prompt came to, wherever it works later. */
function folderRunFor(agent: HookedAgent, { session, agent: subagent, folder, moment }: HookInput, memory: HookMemory) {
  if (agent.hook.prompt === undefined) return undefined;
  const isPrompt = moment.type === "user" && subagent === undefined;
  if (isPrompt) return folder === undefined ? undefined : folderRunOf(agent.name, folder);
  return memory.get(runOf(agent, { session, agent: undefined }))?.folderRun;
}

/** What the sessions of the folder come to, if that is more than what this session does. Work of a subagent is the session's. */
function followFolder(
  run: string,
  dialect: Dialect,
  read: HookInput,
  { settings, memory }: { readonly settings: HookSettings; readonly memory: HookMemory },
): ReturnType<typeof followSessions> {
  if (read.agent !== undefined && read.moment.type !== "call" && read.moment.type !== "result") return undefined;
  const step = followSessions(
    read,
    dialect,
    { ...settings, opinion: undefined, missedEvents: memory.missedEvents(run) },
    memory.get(run),
  );
  if (step !== undefined) memory.set(run, step.state);
  return step?.answer.type === "nothing" ? undefined : step;
}

/** The name of a run: agents may use the same ids as others, and subagents share the id of their session. */
export function runOf({ name }: HookedAgent, { session, agent = "" }: Pick<HookInput, "session" | "agent">): string {
  return nameOfRun(name, session, agent);
}

interface Spoken {
  readonly agent: HookedAgent;
  readonly read: HookInput;
  readonly state: HookState;
  readonly now: number;
  /** Undefined if the agent cannot be told, or was told before. */
  readonly answer: HookAnswer | undefined;
  readonly nudges: { readonly obeyed: number; readonly ignored: number };
}

function entryOf({ agent, read, state, now, answer, nudges }: Spoken): LogEntry | undefined {
  const { obeyed, ignored } = nudges;
  const outcome = { ...(obeyed > 0 && { obeyed }), ...(ignored > 0 && { ignored }) };
  const isSilent = answer === undefined || answer.type === "nothing";
  if (isSilent && obeyed + ignored === 0) return undefined;
  const base = { at: now, ...placeOf(agent, read), ...outcome };
  if (isSilent) return { ...base, said: "outcome" };
  const { finding, sessions } = state;
  return {
    ...base,
    said: isEnd(answer) ? "end" : "isStartOver" in answer && answer.isStartOver === true ? "start-over" : answer.type,
    // What sessions of a script have in common is no kind of loop of one run.
    ...(finding && { ...(sessions === undefined && { kind: finding.kind }), count: finding.count }),
    ...(finding?.tools[0] !== undefined && { tool: shownTool(finding.tools[0]) }),
    words: wordsOf(answer),
  };
}

function placeOf({ name }: HookedAgent, { session, folder }: HookInput): LogPlace {
  return { host: name, session: shortName(session), ...(folder !== undefined && { folder: projectOf(folder) }) };
}

/** Whether a run should be over that no hook can end: its calls stay refused, and the person has to end it. */
function isAlarming(answer: HookAnswer, { abilities }: Dialect, state: HookState | undefined): boolean {
  return answer.type === "refusal" && abilities.stop === "none" && state?.turns?.isOver === true;
}

function isEnd(answer: HookAnswer): boolean {
  return answer.type === "end" || (answer.type === "refusal" && answer.isEnd);
}

/** A tool's name for people, if it looks like one. */
export function shownTool(tool: string): string {
  return toolName(tool).replaceAll("`", "");
}

function wordsOf(answer: Exclude<HookAnswer, { type: "nothing" }>): string {
  if (answer.type === "question") return answer.question;
  return answer.type === "end" || answer.type === "alarm" ? answer.explanation : answer.words;
}

/** A session's name as people can compare it with the agent's. What does not look like an id is hashed. */
function shortName(session: string): string {
  return /^[\w-]{1,64}$/.test(session) ? session : createHash("sha256").update(session).digest("hex").slice(0, 12);
}

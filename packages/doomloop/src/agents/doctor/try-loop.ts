import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { dialectOf } from "../dialects.ts";
import type { HookHost } from "../hook/dialect.ts";
import { type ProcessOutcome, type ProcessRunner, type ProgramCall, runProcess } from "./run-process.ts";
import { sampleEvents } from "./sample-events.ts";

/** What a hook made of a loop. */
export interface LoopTrial {
  /** The call at which the agent was told, counted from 1, and the words. */
  readonly nudge: Said | undefined;
  /** The call that was refused, or at which the run was ended. */
  readonly block: Said | undefined;
  /** The call at which a person would have been asked. */
  readonly question: Said | undefined;
  /** How long each event took, in milliseconds; and, where that is a process, some of `node -e 0` in between. */
  readonly times: readonly number[];
  readonly bareTimes: readonly number[];
  /** The first thing that went wrong. */
  readonly fault: string | undefined;
}

export interface Said {
  readonly call: number;
  readonly words: string;
}

export interface LoopTrialOptions {
  readonly host: HookHost;
  readonly cwd: string;
  readonly env: ProgramCall["env"];
  /** @default runProcess */
  readonly run?: ProcessRunner | undefined;
  /** How a command is started for an event; undefined where none is wired. */
  programOf(event: string): Pick<ProgramCall, "file" | "words"> | undefined;
}

/** Long enough for a refusal or a question, which come at the tenth, and some to spare. */
export const LAPS = 13;
/** An agent that cannot refuse a single call ends the run, at the twentieth. */
const LAPS_TO_THE_END = 23;
/**
 * An agent takes its time for a call, and nothing is refused in the first seconds: each lap moves the hook's clock on by this much. The
 * clock stands still in between, because a loop on a slow machine would look like one that waits.
 */
export const LAP_MS = 5_000;
const CLOCK = "Date.now = () => Number(process.env.DOOMLOOP_TRIAL_MS);\n";
const BARE_RUNS = 9;

/** Tells a hook of the same call again and again, as the agent would. */
export async function tryLoop(options: LoopTrialOptions): Promise<LoopTrial> {
  const { host, cwd, env, programOf, run = runProcess } = options;
  const session = randomUUID();
  const envAt = laterEnvs(cwd, env);
  const times: number[] = [];
  const bareTimes: number[] = [];
  const found: { nudge?: Said; block?: Said; question?: Said } = {};
  let fault: string | undefined;
  const isOver = (): boolean => (found.block ?? found.question ?? fault) !== undefined;
  const laps = dialectOf({}, host)?.abilities.block === false ? LAPS_TO_THE_END : LAPS;
  for (let at = 0; at < laps && !isOver(); at++) {
    let isRefused = false;
    for (const { event, input, isResult } of sampleEvents(host, { session, cwd, at })) {
      if (isResult && isRefused) continue;
      const program = programOf(event);
      if (program === undefined) return { ...none, ...found, times, bareTimes, fault: `nothing is wired to ${event}` };
      const outcome = await run({ ...program, input: JSON.stringify(input), cwd, env: envAt(at) });
      times.push(outcome.milliseconds);
      if (bareTimes.length < BARE_RUNS) bareTimes.push(await bareTime(run, { cwd, env }));
      fault ??= faultOf(outcome);
      const answer = outcome.stdout.trim();
      const said = { call: at + 1, words: wordsIn(answer) };
      if (/"ask"/.test(answer)) found.question ??= said;
      else if (/"deny"|"cancel":true|"continue":false/.test(answer)) {
        found.block ??= said;
        isRefused = true;
      } else if (answer.includes("[doomloop]")) found.nudge ??= said;
    }
  }
  // The first event of an installation compiles for all that follow, and is no measure of them.
  return { ...none, ...found, times: times.length > 1 ? times.slice(1) : times, bareTimes, fault };
}

/** The environment for a lap, with a clock that has moved on by then. */
function laterEnvs(cwd: string, env: ProgramCall["env"]): (lap: number) => ProgramCall["env"] {
  const clock = join(cwd, "clock.cjs");
  const begin = Date.now();
  writeFileSync(clock, CLOCK);
  const NODE_OPTIONS = `${env.NODE_OPTIONS ?? ""} --require ${JSON.stringify(clock)}`.trim();
  return (lap) => ({ ...env, NODE_OPTIONS, DOOMLOOP_TRIAL_MS: String(begin + lap * LAP_MS) });
}

async function bareTime(run: ProcessRunner, place: Pick<ProgramCall, "cwd" | "env">): Promise<number> {
  const { milliseconds } = await run({ file: process.execPath, words: ["-e", "0"], ...place });
  return milliseconds;
}

const none = { nudge: undefined, block: undefined, question: undefined };

/** Why a process came to nothing; undefined where it did not. */
export function faultOf({ code, stderr }: ProcessOutcome): string | undefined {
  if (code === 0) return undefined;
  const [line = ""] = stderr.trim().split("\n");
  return `${code === undefined ? "it did not start or did not end" : `it ended with ${code}`}${line === "" ? "" : `: ${line}`}`;
}

const WORD_FIELDS = new Set([
  "additionalContext",
  "permissionDecisionReason",
  "contextModification",
  "reason",
  "stopReason",
  "errorMessage",
]);

/** The words of an answer, whichever agent it is for. */
function wordsIn(answer: string): string {
  let words = "";
  try {
    JSON.parse(answer, (key, value) => {
      if (WORD_FIELDS.has(key) && typeof value === "string") words ||= value;
      return value;
    });
  } catch {
    // Nothing was said.
  }
  return words;
}

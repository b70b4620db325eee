import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CodingAgent } from "../coding-agent.ts";
import type { ProgramStart } from "./agent-doctor.ts";

const MAX_TEXT = 100_000;

const LONGEST_MS = 10_000;

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

interface LoopTrialOptions {
  readonly agent: CodingAgent;
  readonly cwd: string;
  readonly env: ProgramCall["env"];
  /** @default runProcess */
  readonly run?: ProcessRunner | undefined;
  /** How a command is started for an event; undefined where none is wired. */
  programOf(event: string): ProgramStart | undefined;
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
  const { agent, cwd, env, programOf, run = runProcess } = options;
  const session = randomUUID();
  const envAt = laterEnvs(cwd, env);
  const times: number[] = [];
  const bareTimes: number[] = [];
  const found: { nudge?: Said; block?: Said; question?: Said } = {};
  let fault: string | undefined;
  const isOver = (): boolean => (found.block ?? found.question ?? fault) !== undefined;
  const laps = agent.hook?.abilities.block === false ? LAPS_TO_THE_END : LAPS;
  for (let at = 0; at < laps && !isOver(); at++) {
    let isRefused = false;
    for (const { event, input, isResult } of agent.doctor?.sampleEvents?.({ session, cwd, at }) ?? []) {
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

/** A program with its words. */
export interface ProgramCall {
  readonly file: string;
  readonly words: readonly string[];
  readonly input?: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What came of a process. */
interface ProcessOutcome {
  /** Undefined for one that did not start, or was ended. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
}

/** What runs a program to its end. Never rejects. */
export type ProcessRunner = (call: ProgramCall) => Promise<ProcessOutcome>;

/** Runs a program to its end, without a shell. Never rejects. */
export function runProcess({ file, words, input = "", cwd, env }: ProgramCall): Promise<ProcessOutcome> {
  const start = performance.now();
  const child = spawn(file, words, { cwd, env, stdio: "pipe", timeout: LONGEST_MS, windowsHide: true });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (piece: string) => {
      if (said[name].length < MAX_TEXT) said[name] += piece;
    });
  }
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  return new Promise((done) => {
    const end = (code: number | undefined, fault = ""): void =>
      done({ code, stdout: said.stdout, stderr: said.stderr || fault, milliseconds: performance.now() - start });
    child.on("error", (error) => end(undefined, error.message));
    child.on("close", (code) => end(code ?? undefined));
  });
}

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { CodingAgent } from "../coding-agent.ts";
import { type ProgramStart, TRIAL_FIELD } from "./agent-doctor.ts";

const MAX_TEXT = 100_000;

const LONGEST_MS = 10_000;

/** How a hook answered a loop. */
export interface LoopTrial {
  /** The call at which the agent was told, counted from 1, with the words. */
  readonly nudge: Said | undefined;
  /** The call that was refused, or that ended the run. */
  readonly block: Said | undefined;
  /** The call at which a person would have been asked. */
  readonly question: Said | undefined;
  /** How long each event took, in milliseconds. */
  readonly times: readonly number[];
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
  /** How the command of an event is started. Undefined if none is wired. */
  programOf(event: string): ProgramStart | undefined;
}

/** A refusal or a question comes at the tenth lap. */
export const LAPS = 13;
/** If an agent cannot refuse a single call, the run ends at the twentieth lap. */
const LAPS_TO_THE_END = 23;
/**
 * How far each lap moves the clock of the trial. The clock stands still in between, because a loop on a slow machine would look like one that waits.
 */
export const LAP_MS = 5_000;

/** Reports the same call to a hook again and again, as the agent would. */
export async function tryLoop(options: LoopTrialOptions): Promise<LoopTrial> {
  const { agent, cwd, env, programOf, run = runProcess } = options;
  const session = randomUUID();
  const begin = Date.now();
  const times: number[] = [];
  const found: { nudge?: Said; block?: Said; question?: Said } = {};
  let fault: string | undefined;
  const isOver = (): boolean => (found.block ?? found.question ?? fault) !== undefined;
  const laps = agent.hook?.abilities.block === false ? LAPS_TO_THE_END : LAPS;
  for (let at = 0; at < laps && !isOver(); at++) {
    let isRefused = false;
    for (const { event, input, isResult } of agent.doctor?.sampleEvents?.({ session, cwd, at }) ?? []) {
      if (isResult && isRefused) continue;
      const program = programOf(event);
      if (program === undefined) return { ...none, ...found, times, fault: `nothing is wired to ${event}` };
      const told = JSON.stringify({ ...input, [TRIAL_FIELD]: begin + at * LAP_MS });
      const outcome = await run({ ...program, input: told, cwd, env });
      times.push(outcome.milliseconds);
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
  // The first event may have started the resident, so its time is left out.
  return { ...none, ...found, times: times.length > 1 ? times.slice(1) : times, fault };
}

const none = { nudge: undefined, block: undefined, question: undefined };

/** Why a process failed. Undefined if it did not. */
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

/** The words of an answer to any agent. */
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

/** A program with its arguments. */
export interface ProgramCall {
  readonly file: string;
  readonly words: readonly string[];
  readonly input?: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How a process ended. */
interface ProcessOutcome {
  /** Undefined if the process did not start, or was killed. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
}

/** Runs a program to its end. Never rejects. */
export type ProcessRunner = (call: ProgramCall) => Promise<ProcessOutcome>;

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

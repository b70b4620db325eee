#!/usr/bin/env node
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stateFolder } from "../../system/state-folder.ts";
import { isHeadless } from "../claude-code/is-headless.ts";
import { noteUnheard } from "../hook/missed-events.ts";
import { type CompiledProgram, loadCompiled } from "./compiled-program.ts";
import { leave, standardInput } from "./standard-input.ts";

/** The file that the build has made of the program, beside this one; its name says what is in it. Not there where the source runs. */
declare const PROGRAM_FILE: string | undefined;
type Program = typeof import("./run-hook-program.ts");

/** Written to as a file: Node's streams take long to load. */
const STANDARD_OUTPUT = 1;
/** A hook that has not ended by then ends without a word. */
const LONGEST_MS = 1000;
/** Where files are kept or put back. Less than the agent waits for it. */
const LONGEST_WITH_FILES_MS = 20_000;

/**
 * A program of its own: a coding agent starts it at every event, so it reads nothing that a hook does not need. It is built in a format
 * that knows no `await` here, and what takes long to compile is a file of its own.
 */
const state = stateFolder({ env: process.env, platform: process.platform });
const words = process.argv.slice(2);
const isStatusLine = words.includes("--status-line");
let ending = endIn(LONGEST_MS);
process.on("uncaughtException", giveUp);
void load().then(async ({ exports: { runHookProgram, runStatusLine, tidyUp, rehearse }, keep }) => {
  const input = standardInput();
  const remainingMs = () => LONGEST_MS - performance.now();
  const program = { words, input, state, isHeadless: isHeadless(process.env), remainingMs, takeTime };
  const output = await (isStatusLine ? runStatusLine(input, state) : runHookProgram(program));
  clearTimeout(ending);
  if (output !== "") writeFileSync(STANDARD_OUTPUT, `${output}\n`);
  if (!isStatusLine) tidyUp(state);
  if (keep !== undefined) {
    rehearse(state);
    keep();
  }
  // Nothing is under way any more, and taking things apart takes time.
  process.exit(0);
});

async function load(): Promise<CompiledProgram<Program>> {
  if (typeof PROGRAM_FILE === "string") return loadCompiled(join(__dirname, PROGRAM_FILE), state);
  return { exports: await import("./run-hook-program.ts") };
}

function takeTime(): void {
  clearTimeout(ending);
  ending = endIn(LONGEST_WITH_FILES_MS);
}

function endIn(ms: number): NodeJS.Timeout {
  return setTimeout(giveUp, ms);
}

function giveUp(): never {
  if (!isStatusLine) noteUnheard(join(state, "runs"));
  leave();
}

#!/usr/bin/env node
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stateFolder } from "../../system/state-folder.ts";
import { noteMissedEvent } from "../hook/missed-events.ts";
import { type CompiledProgram, loadCompiled } from "./compiled-program.ts";
import { leave, standardInput } from "./standard-input.ts";

/** The file that the build makes of the program, beside this one. Its name is a digest of its content. Undefined if the source runs. */
declare const PROGRAM_FILE: string | undefined;
type Program = typeof import("./run-hook-program.ts");

/** Written as a file, because Node's streams take long to load. */
const STANDARD_OUTPUT = 1;
/** A hook that has not answered by then ends silently. */
const LONGEST_MS = 1000;
/** The limit if files are saved or put back. The agent waits longer than that. */
const LONGEST_WITH_FILES_MS = 20_000;

/**
 * The program that a coding agent starts at every event. It loads nothing that a hook does not need. It is built as CommonJS, which has no
 * `await` at the top level, and the part that takes long to compile is a separate file.
 */
const state = stateFolder({ env: process.env, platform: process.platform });
const words = process.argv.slice(2);
const isStatusLine = words.includes("--status-line");
let ending = endIn(LONGEST_MS);
process.on("uncaughtException", giveUp);
void load().then(async ({ exports: { runHookProgram, runStatusLine, tidyUp, rehearse }, keep }) => {
  const input = standardInput();
  const remainingMs = () => LONGEST_MS - performance.now();
  const program = { words, input, state, env: process.env, remainingMs, takeTime };
  const output = await (isStatusLine ? runStatusLine(program) : runHookProgram(program));
  clearTimeout(ending);
  if (output !== "") writeFileSync(STANDARD_OUTPUT, `${output}\n`);
  if (!isStatusLine) tidyUp(state);
  if (keep !== undefined) {
    rehearse(state);
    keep();
  }
  // Nothing is under way any more, and an orderly end takes time.
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
  if (!isStatusLine) noteMissedEvent(join(state, "runs"));
  leave();
}

#!/usr/bin/env node
import { stateFolder } from "../state-folder.ts";
import { keepCompiled } from "./keep-compiled.ts";

/** A hook that has not ended by then ends without a word. */
const LONGEST_MS = 1000;

/**
 * A program of its own: a coding agent starts it at every event, so it reads nothing that a hook does not need. It is built in a format
 * that knows no `await` here, and what takes long to compile is a file of its own.
 */
const ending = setTimeout(() => process.exit(0), LONGEST_MS);
process.on("uncaughtException", () => process.exit(0));
const state = stateFolder({ env: process.env, platform: process.platform });
keepCompiled(state);
void import("./run-hook-program.ts").then(async ({ runHookProgram, tidyUp }) => {
  const output = await runHookProgram({
    words: process.argv.slice(2),
    input: process.stdin,
    state,
    remainingMs: () => LONGEST_MS - performance.now(),
  });
  clearTimeout(ending);
  if (output !== "") process.stdout.write(`${output}\n`);
  tidyUp(state);
});

#!/usr/bin/env node
import { LONGEST_MS, runHookProgram } from "./run-hook-program.ts";
import { stateFolder } from "./state-folder.ts";

/** A program of its own: a coding agent starts it at every event, so it reads nothing that a hook does not need. */
const ending = setTimeout(() => process.exit(0), LONGEST_MS);
process.on("uncaughtException", () => process.exit(0));
const output = await runHookProgram({
  words: process.argv.slice(2),
  input: process.stdin,
  state: stateFolder({ env: process.env, platform: process.platform }),
  elapsedMs: () => performance.now(),
});
clearTimeout(ending);
if (output !== "") process.stdout.write(`${output}\n`);

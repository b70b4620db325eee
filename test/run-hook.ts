import { accessSync, constants, readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { Readable } from "node:stream";
import { isHeadless } from "../packages/doomloop/src/agents/claude-code/hook.ts";
import { commandInScript } from "../packages/doomloop/src/agents/cline/settings.ts";
import { type ProcessRunner, runProcess } from "../packages/doomloop/src/agents/doctor/try-loop.ts";
import { runHookProgram } from "../packages/doomloop/src/agents/hook-program/run-hook-program.ts";
import { stateFolder } from "../packages/doomloop/src/system/state-folder.ts";

/** The words of Node that give a hook as much time as it needs. */
export const PATIENT = ["--require", resolve(import.meta.dirname, "patient.cjs")];

const COMMAND = /[\\/]hook-program[\\/]main\.ts (?<words>[\w -]+)$/;
const LONGEST_MS = 1_000_000;

/** Whether it is a script that may be run. Shells are not read. */
function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return basename(file) !== "sh";
  } catch {
    return false;
  }
}

/** Runs the hook of a command line in this process, where doctor would start a process for every event. */
export const runHook: ProcessRunner = async (call) => {
  const { file, words, input = "", env } = call;
  const start = performance.now();
  const outcome = (stdout: string) => ({ code: 0, stdout, stderr: "", milliseconds: performance.now() - start });
  if (file === process.execPath && words[0] === "-e") return outcome("");
  const script = isProgram(file) ? readFileSync(file, "utf8") : "";
  const command = commandInScript(script) ?? words.at(-1) ?? "";
  const { words: given } = COMMAND.exec(command)?.groups ?? {};
  if (given === undefined) return runProcess(call);
  const now = Date.now;
  Date.now = () => Number(env.DOOMLOOP_TRIAL_MS);
  try {
    const answer = await runHookProgram({
      words: given.split(" "),
      input: Readable.from([Buffer.from(input)]),
      state: stateFolder({ env, platform: process.platform }),
      isHeadless: isHeadless(env),
      remainingMs: () => LONGEST_MS,
    });
    // What a script makes of the answer is left to a shell.
    if (script === "") return outcome(answer);
    return await runProcess({ ...call, file: "/bin/sh", words: ["-c", script.replace(command, "cat")], input: answer });
  } finally {
    Date.now = now;
  }
};

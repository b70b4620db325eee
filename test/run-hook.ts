import { accessSync, constants, readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { commandInScript } from "../packages/doomloop/src/agents/cline/agent.ts";
import { type ProcessRunner, runProcess } from "../packages/doomloop/src/agents/doctor/try-loop.ts";
import { openDoor, type TestDoor } from "./hook-door.ts";

/** The words of Node that give a program as much time as it needs. */
export const PATIENT = ["--require", resolve(import.meta.dirname, "patient.cjs")];

const COMMAND = /[\\/]hook-client[\\/]hook\.sh '?(?<state>[^' ]+)'? \S+ \d+ '(?<path>[^']+)'/;
const doors = new Map<string, TestDoor>();

/** Whether it is a script that may be run. Shells are not read. */
function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return basename(file) !== "sh";
  } catch {
    return false;
  }
}

/** Answers the hook of a command line in this process, where doctor would start a process for every event. */
export const runHook: ProcessRunner = async (call) => {
  const { file, words, input = "" } = call;
  const start = performance.now();
  const outcome = (stdout: string) => ({ code: 0, stdout, stderr: "", milliseconds: performance.now() - start });
  const script = isProgram(file) ? readFileSync(file, "utf8") : "";
  const command = commandInScript(script) ?? words.at(-1) ?? "";
  const { state, path } = COMMAND.exec(command)?.groups ?? {};
  if (state === undefined || path === undefined) return runProcess(call);
  const door = doors.get(state) ?? openDoor(state);
  doors.set(state, door);
  const answer = await door.tell(path, JSON.parse(input));
  // What a script makes of the answer is left to a shell.
  if (script === "") return outcome(answer);
  return await runProcess({ ...call, file: "/bin/sh", words: ["-c", script.replace(command, "cat")], input: answer });
};

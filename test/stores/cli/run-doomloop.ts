import { resolve } from "node:path";
import { type CommandOutcome, runCommand } from "../../run-command.ts";

/** The folder with the installed clients. The command uses the client of the project that it is called from. */
const project = resolve(import.meta.dirname, "..");

/** Runs `doomloop fleet` with the address in its environment. */
export function runDoomloop(url: string, words: readonly string[], input = ""): Promise<CommandOutcome> {
  const env = { ...process.env, DOOMLOOP_FLEET_URL: url };
  return runCommand(["fleet", ...words], { cwd: project, env, input });
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";

const main = resolve(import.meta.dirname, "../../../packages/doomloop/src/cli/main.ts");
/** The folder with the installed clients. The command uses the client of the project that it is called from. */
const project = resolve(import.meta.dirname, "..");

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `doomloop fleet` in a separate process, with the address in its environment. */
export async function runDoomloop(url: string, words: readonly string[], input = ""): Promise<Ended> {
  const env = { ...process.env, DOOMLOOP_FLEET_URL: url };
  const child = spawn(process.execPath, [main, "fleet", ...words], { cwd: project, env, timeout: 300_000 });
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code, stdout, stderr };
}

import { spawnSync } from "node:child_process";

/** What the fleet's counts live in. */
export type Engine = "redis" | "valkey";

export const engines: readonly Engine[] = ["redis", "valkey"];

/** Whether its programs are on this machine: `node scripts/install-servers.ts` brings them. */
export function isInstalled(engine: Engine): boolean {
  return [`${engine}-server`, `${engine}-cli`].every((program) => spawnSync(program, ["--version"]).status === 0);
}

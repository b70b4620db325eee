import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "./server.ts";
import { until } from "./until.ts";

/** A Postgres on loopback, in a folder of its own. */
export interface PostgresServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Debian keeps the programs of each version apart. */
const [programs] = globSync("/usr/lib/postgresql/*/bin").toSorted().toReversed();

/** Postgres does not run as root: then it runs as the user that its package has made. */
const owner = process.getuid?.() === 0 ? userOf("postgres") : undefined;

/** Whether a server can be started here. `node scripts/install-servers.ts` installs it. */
export const hasPostgres =
  programs !== undefined &&
  existsSync(join(programs, "initdb")) &&
  (process.getuid?.() !== 0 || (owner !== undefined && spawnSync("setpriv", ["--version"]).status === 0));

export async function startPostgres(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "doomloop-postgres-"));
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  const as = owner === undefined ? [] : ["setpriv", `--reuid=${owner.uid}`, `--regid=${owner.gid}`, "--clear-groups"];
  const command = (program: string, ...words: string[]): [string, string[]] => {
    const [first, ...rest] = [...as, join(programs!, program), ...words];
    return [first!, rest];
  };
  const data = join(folder, "data");
  execFileSync(...command("initdb", "-D", data, "-A", "trust", "-U", "tests", "--no-sync"), {
    cwd: folder,
    stdio: "ignore",
  });
  const [port] = await freePorts(1);
  const settings = [`port=${port}`, "listen_addresses=127.0.0.1", `unix_socket_directories=${folder}`, "fsync=off"];
  const child = spawn(...command("postgres", "-D", data, ...settings.flatMap((each) => ["-c", each])), {
    ...{ cwd: folder, stdio: "ignore" },
  });
  const ready = command("pg_isready", "-h", "127.0.0.1", "-p", String(port));
  await until("Postgres answers", () => spawnSync(...ready).status === 0 || child.exitCode !== null);
  return {
    url: `postgres://tests@127.0.0.1:${port}/postgres`,
    async stop() {
      const exited = once(child, "exit");
      child.kill("SIGQUIT");
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function userOf(name: string): { readonly uid: number; readonly gid: number } | undefined {
  const [uid, gid] = ["-u", "-g"].map((option) => Number(spawnSync("id", [option, name], { encoding: "utf8" }).stdout));
  return uid && gid ? { uid, gid } : undefined;
}

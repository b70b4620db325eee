import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { RedisClient } from "doomloop/fleet";
import { Cluster, Redis } from "ioredis";
import { createClient, createCluster } from "redis";
import type { FleetNotice } from "../../../packages/doomloop/src/fleet/process/store-fleet-options.ts";
import { report, reports, tell } from "../../contracts/fleet.ts";
import type { Server } from "../servers/server.ts";
import { flushAll, newFleet } from "./fleets.ts";

/** The tenant in `deploy/redis-users.acl`. */
export const TENANT = "acme";

type Login = (typeof logins)[keyof typeof logins];
const host = "127.0.0.1";

export const logins = {
  worker: { username: "worker", password: "a-long-password" },
  operator: { username: "operator", password: "another-long-password" },
} as const;

/** A file of `deploy/`, to which docs/fleet.md leads. */
export function deployed(name: string): string {
  return readFileSync(join(import.meta.dirname, "../../../deploy", name), "utf8");
}

/** The users of `deploy/redis-users.acl`, for a server that may be newer. */
export async function userFile(knowsSetinfo: boolean): Promise<string> {
  const file = deployed("redis-users.acl");
  return knowsSetinfo ? file.replaceAll("+client|setname", "+client|setname +client|setinfo") : file;
}

/** Whether clients tell the server what they are. */
export async function knowsSetinfo(ask: Server["ask"]): Promise<boolean> {
  return (await ask("COMMAND", "INFO", "client|setinfo")).includes("setinfo");
}

const WORD = /\([^)]*\)|\S+/g;

/** Creates the worker and the operator of `deploy/redis-users.acl` on a server whose user `default` stays as it is. */
export async function giveRights({ engine, port, ask }: Server): Promise<void> {
  const users = (await userFile(await knowsSetinfo(ask)))
    .split("\n")
    .filter((line) => /^user (?:worker|operator) /.test(line));
  for (const line of users) {
    const [, name = "", ...rules] = line.match(WORD) ?? [];
    await promisify(execFile)(`${engine}-cli`, ["-e", "-p", String(port), "ACL", "SETUSER", name, "reset", ...rules]);
  }
}

/** Everything that a fleet does, in two processes as one user. Returns what went wrong. */
export async function liveFully(client: RedisClient): Promise<unknown[]> {
  const wrong: unknown[] = [];
  const onNotice = (notice: FleetNotice) => wrong.push(notice);
  const fleets = [1, 2].map(() => newFleet(client, { tenant: TENANT, calls: 2, onNotice }));
  const [one, two] = fleets.map((fleet) => fleet.join({ worker: `worker ${Math.random()}` }));
  for (const member of [one!, two!]) tell(member, ...reports(3));
  await flushAll(...fleets, fleets[0]!);
  // Six calls, because two of them sometimes share a place in the HyperLogLog.
  if (![5, 6].includes(fleets[0]!.findings()[0]?.calls ?? 0)) wrong.push(fleets[0]!.findings());
  tell(one!, report(3, { isBarren: false }));
  for (const member of [one!, two!]) member.mayStop?.();
  await flushAll(...fleets);
  if (!one!.mayStop?.()) wrong.push("no run may be stopped");
  for (const member of [one!, two!]) tell(member, report(4));
  await flushAll(...fleets);
  fleets[0]!.clear();
  await flushAll(...fleets);
  for (const fleet of fleets) {
    const { faults, delivered, reported } = fleet.stats();
    if (faults > 0 || delivered !== reported || fleet.findings().length > 0) wrong.push(fleet.stats());
    await fleet.close();
  }
  return wrong;
}

interface LoggedIn {
  readonly client: RedisClient;
  close(): void;
}

/** How clients log in to one server or to a Cluster. */
export const waysIn: readonly {
  readonly name: string;
  standalone(port: number, login: Login): Promise<LoggedIn>;
  cluster(ports: readonly number[], login: Login): Promise<LoggedIn>;
}[] = [
  {
    name: "ioredis",
    async standalone(port, login) {
      const client = new Redis({ port, ...login });
      return { client, close: () => client.disconnect() };
    },
    async cluster(ports, login) {
      const client = new Cluster(
        ports.map((port) => ({ host, port })),
        { redisOptions: login },
      );
      return { client, close: () => client.disconnect() };
    },
  },
  {
    name: "node-redis",
    async standalone(port, login) {
      const client = createClient({ socket: { host, port }, ...login });
      await client.connect();
      return { client, close: () => client.destroy() };
    },
    async cluster(ports, login) {
      const client = createCluster({ rootNodes: ports.map((port) => ({ socket: { host, port } })), defaults: login });
      await client.connect();
      return { client, close: () => client.destroy() };
    },
  },
];

import { readFileSync } from "node:fs";
import { isDoomloopError } from "../../core/doomloop-error.ts";
import { readFault, UsageError } from "../../system/usage-error.ts";
import { isTenant } from "../process/store-fleet-options.ts";
import { type FleetKeys, fleetKeys } from "../redis/fleet-keys.ts";
import { commandsOf } from "../redis/redis-client.ts";
import { type Command, errorIn, type RedisCommands } from "../redis/redis-commands.ts";

import { type ClientName, type ConnectOptions, connectRedis } from "./connect-redis.ts";

/** Where the fleet is, as given on the command line. */
export interface FleetAddress {
  readonly url?: string;
  readonly tenant?: string;
  readonly client?: ClientName;
  readonly cluster?: boolean;
  /** A file with the certificate of an authority of the user's own. */
  readonly ca?: string;
}

/** A connection to the store of a fleet. */
export interface FleetStore {
  readonly tenant: string;
  readonly keys: FleetKeys;
  /** Sends commands for one slot together. Rejects with the first error among the replies. */
  ask(commands: readonly Command[]): Promise<readonly unknown[]>;
  close(): void;
}

/** Connects to the store that workers share. Throws a `UsageError` for a mistake that the user can correct. */
export async function openStore(
  address: FleetAddress,
  where: Pick<ConnectOptions, "folder"> = {},
): Promise<FleetStore> {
  const { url, client: only, cluster: isCluster } = address;
  if (url === undefined) throw new UsageError("--url, or the environment variable DOOMLOOP_FLEET_URL, is required");
  const tenant = readTenant(address);
  const ca = readAuthority(address);
  const { client, close } = await connectRedis(url, { ...where, only, isCluster, ca });
  const commands = knownCommands(client, close);
  return {
    ...{ tenant, keys: fleetKeys(tenant), close },
    async ask(wanted) {
      const replies = await commands.send(wanted);
      const fault = errorIn(replies);
      if (fault !== undefined) throw explained(fault);
      return replies;
    },
  };
}

/** The swarm on the server. Throws a `UsageError` if it cannot be called so. */
export function readTenant({ tenant = "default" }: Pick<FleetAddress, "tenant">): string {
  if (isTenant(tenant)) return tenant;
  throw new UsageError("--tenant: 1 to 64 of a-z, A-Z, 0-9, _, . and - are required");
}

/** The certificate of the user's own authority, if there is one. Throws a `UsageError` if it cannot be read. */
export function readAuthority({ ca }: Pick<FleetAddress, "ca">): string | undefined {
  return ca === undefined ? undefined : readFile("--ca", ca).toString();
}

function knownCommands(client: unknown, close: () => void): RedisCommands {
  try {
    return commandsOf(client);
  } catch (error) {
    close();
    if (!isDoomloopError(error)) throw error;
    throw new UsageError(error.message, { cause: error });
  }
}

/** A server of a Cluster answers with a redirection if another server holds the key. */
function explained(fault: Error): Error {
  return /^(?:MOVED|ASK) /.test(fault.message) ? new Error("it is a Cluster: use --cluster", { cause: fault }) : fault;
}

/** Reads the workers' key from a file, without line breaks at its end. Throws a `UsageError` that does not reveal the key. */
export function readKey(path: string): Uint8Array {
  const bytes: Uint8Array = readFile("--key-file", path);
  const length = bytes.findLastIndex((byte) => byte !== 0x0a && byte !== 0x0d) + 1;
  if (length === 0) throw new UsageError(`--key-file: a file with a key is required, ${path} is empty`);
  return bytes.subarray(0, length);
}

function readFile(option: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UsageError(`${option}: cannot read ${path}: ${readFault(error)}`, { cause: error });
  }
}

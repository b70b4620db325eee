import { isDoomloopError } from "../../core/doomloop-error.ts";
import { UsageError } from "../../system/usage-error.ts";
import { type FleetKeys, fleetKeys } from "../redis/fleet-keys.ts";
import { commandsOf } from "../redis/redis-client.ts";
import type { Command, RedisCommands } from "../redis/redis-commands.ts";
import { isTenant } from "../redis/redis-fleet-options.ts";
import { errorIn } from "../redis/replies.ts";
import { type ClientName, type ConnectOptions, connectRedis } from "./redis-client.ts";

/** Which fleet is asked about, as the command line says it. */
export interface FleetAddress {
  readonly url?: string;
  readonly tenant?: string;
  readonly client?: ClientName;
  readonly cluster?: boolean;
}

/** The store of a fleet, connected. */
export interface FleetStore {
  readonly tenant: string;
  readonly keys: FleetKeys;
  /** Sends commands about one slot together, and rejects with the first error among the replies. */
  ask(commands: readonly Command[]): Promise<readonly unknown[]>;
  close(): void;
}

/** Connects to the store that workers share. Throws a `UsageError` for what the user can mend. */
export async function openStore(
  address: FleetAddress,
  where: Pick<ConnectOptions, "folder"> = {},
): Promise<FleetStore> {
  const { url, tenant = "default", client: only, cluster: isCluster } = address;
  if (url === undefined) throw new UsageError("--url, or the environment variable DOOMLOOP_FLEET_URL, is required");
  if (!isTenant(tenant)) throw new UsageError("--tenant: 1 to 64 of a-z, A-Z, 0-9, _, . and - are required");
  const { client, close } = await connectRedis(url, { ...where, only, isCluster });
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

function knownCommands(client: unknown, close: () => void): RedisCommands {
  try {
    return commandsOf(client);
  } catch (error) {
    close();
    if (!isDoomloopError(error)) throw error;
    throw new UsageError(error.message, { cause: error });
  }
}

/** One server of a Cluster sends whoever asks for other keys to another. */
function explained(fault: Error): Error {
  return /^(?:MOVED|ASK) /.test(fault.message) ? new Error("it is a Cluster: use --cluster", { cause: fault }) : fault;
}

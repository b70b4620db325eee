import { readFileSync } from "node:fs";
import { isDoomloopError } from "../../core/doomloop-error.ts";
import { readFault } from "../read-fault.ts";
import { UsageError } from "../usage-error.ts";
import { type FleetView, viewFleet } from "./fleet-view.ts";
import { type ClientName, type ConnectOptions, connectRedis } from "./redis-client.ts";
import { createRedisFleet } from "./redis-fleet.ts";

/** Which fleet to look at. */
export interface FleetAddress {
  readonly url: string;
  readonly tenant?: string | undefined;
  /** A file that holds the key of the deployment. */
  readonly keyFile?: string | undefined;
  readonly client?: ClientName | undefined;
}

export interface OpenOptions extends Pick<ConnectOptions, "folder"> {
  /** @default createRedisFleet */
  readonly create?: typeof createRedisFleet;
}

/** Opens the fleet that workers share over a store. Throws a `UsageError` for what the user can mend. */
export async function openFleet(address: FleetAddress, options: OpenOptions = {}): Promise<FleetView> {
  const { create = createRedisFleet, ...where } = options;
  const { url, tenant, keyFile, client: only } = address;
  const key = keyFile === undefined ? undefined : readKey(keyFile);
  const { client, close } = await connectRedis(url, { ...where, only });
  try {
    const fleet = await create({ client, ...(tenant !== undefined && { tenant }), ...(key !== undefined && { key }) });
    return viewFleet(fleet, close);
  } catch (error) {
    close();
    if (!isDoomloopError(error)) throw error;
    throw new UsageError(error.message, { cause: error });
  }
}

function readKey(path: string): string {
  let key: string;
  try {
    key = readFileSync(path, "utf8").trimEnd();
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${readFault(error)}`, { cause: error });
  }
  if (key === "") throw new UsageError(`--key-file: a file with a key is required, ${path} is empty`);
  return key;
}

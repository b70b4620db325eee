import { createRedisFleet, type RedisFleet, type RedisFleetOptions } from "doomloop/fleet";
import { type ClientName, connect } from "./connect.ts";
import type { Topology } from "./topology.ts";

export const TENANT = "campaign";

interface CampaignFleetOptions extends Partial<RedisFleetOptions> {
  /** @default "ioredis" */
  readonly clientName?: ClientName;
  /**
   * Past the proxies.
   * @default false
   */
  readonly isDirect?: boolean;
}

export interface CampaignFleet {
  readonly fleet: RedisFleet;
  stop(): Promise<void>;
}

/** A fleet with a client of its own, as one process of a user has it. */
export async function joinCampaign(topology: Topology, options: CampaignFleetOptions = {}): Promise<CampaignFleet> {
  const { clientName = "ioredis", isDirect = false, ...more } = options;
  const { client, copyClient, close } = await connect(topology, clientName, { isDirect });
  const fleet = createRedisFleet({
    key: "a secret of the campaign",
    tenant: TENANT,
    ...more,
    client,
    copyClient,
  } as RedisFleetOptions);
  return {
    fleet,
    async stop() {
      await fleet.close();
      close();
    },
  };
}

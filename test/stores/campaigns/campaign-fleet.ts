import { createRedisFleet, type RedisFleetOptions, type StoreFleet } from "doomloop/fleet";
import type { FleetNotice } from "../../../packages/doomloop/src/fleet/process/store-fleet-options.ts";
import { type ClientName, connect } from "./connect.ts";
import type { Topology } from "./topology.ts";

export const TENANT = "campaign";
export const KEY = "a secret of the campaign";

interface CampaignFleetOptions extends Partial<RedisFleetOptions> {
  /** @default "ioredis" */
  readonly clientName?: ClientName;
  /** How long a connection may be silent before its client closes it. */
  readonly silenceMs?: number | undefined;
}

export interface CampaignFleet {
  readonly fleet: StoreFleet;
  /** The notices so far. */
  readonly notices: FleetNotice[];
  stop(): Promise<void>;
}

let processes = 0;

/** A fleet with its own client and witness, as in a process of its own. */
export async function joinCampaign(topology: Topology, options: CampaignFleetOptions = {}): Promise<CampaignFleet> {
  const { clientName = "ioredis", silenceMs, ...more } = options;
  const { client, connected, close } = connect(topology, clientName, { silenceMs });
  await connected;
  const notices: FleetNotice[] = [];
  const fleet = createRedisFleet({
    ...{ key: KEY, tenant: TENANT, witness: `process ${processes++}`, confirmMs: 0, client },
    onNotice: (notice) => notices.push(notice),
    ...more,
  });
  return {
    fleet,
    notices,
    async stop() {
      await fleet.close();
      close();
    },
  };
}

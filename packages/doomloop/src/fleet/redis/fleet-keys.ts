/** How keys begin: the number changes with the form of what they hold, so that two versions do not read each other's. */
const PREFIX = "dl1";

/** The names of a tenant's keys. What stands in braces chooses the slot of a Cluster. */
export interface FleetKeys {
  /** How the key of a fingerprint's calls begins; its name follows. */
  calls(shard: number, epoch: string): string;
  /** What the pulse script works on, in its order. */
  readonly control: readonly string[];
}

export function fleetKeys(tenant: string): FleetKeys {
  const control = (name: string): string => `${PREFIX}:{${tenant}:control}:${name}`;
  return {
    calls: (shard, epoch) => [PREFIX, `{${tenant}`, `${shard}}`, epoch, ""].join(":"),
    control: [
      ...["state", "found", "changes", "until", "runs:0", "runs:1", "looping:0", "looping:1"],
      ...["stopped", "switch"],
    ].map(control),
  };
}

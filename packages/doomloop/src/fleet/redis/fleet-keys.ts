/** How keys begin. The number changes with the form of what they hold, so that two versions do not read each other's. */
const PREFIX = "dl2";

export type FleetKeys = ReturnType<typeof fleetKeys>;

/** The names of a tenant's keys. What stands in braces chooses the slot of a Cluster: one for what all must know, one for each fingerprint. */
export function fleetKeys(tenant: string) {
  const control = (name: string): string => `${PREFIX}:{${tenant}}:${name}`;
  return {
    /** `on`, `shadow` or `off`. An operator writes it, workers read it. No expiry. */
    switch: control("switch"),
    /** What the workers agree on, as the first of them wrote it. No expiry. */
    settings: control("settings"),
    /** A stream of what became of fingerprints: the latest entry of one is true. */
    news: control("news"),
    /** A number that grows with every entry of the news. */
    version: control("version"),
    /** Fingerprints reported within a minute. */
    quota: control("quota"),
    /** A HyperLogLog of the runs that were active within a window. */
    runs: control("runs"),
    /** Runs that asked to be stopped within a window. */
    stops: control("stops"),
    /** HyperLogLogs of a fingerprint's barren calls, and of the processes that made them, until the end of the window that the first one began. */
    of(fingerprint: string): { readonly calls: string; readonly witnesses: string } {
      const start = `${PREFIX}:{${tenant}:${fingerprint}}`;
      return { calls: `${start}:c`, witnesses: `${start}:w` };
    },
  };
}

import type { FleetMode } from "../../core/fleet-view.ts";

/** The number changes with the form of the data, so that two versions do not read each other's keys. */
const PREFIX = "dl3";
/** All versions obey one switch. */
const SWITCH_PREFIX = "dl";

export type FleetKeys = ReturnType<typeof fleetKeys>;

/**
 * The names of a tenant's keys. The part in braces selects the slot of a Cluster: one slot for what all workers read, and
 * one for each fingerprint.
 */
export function fleetKeys(tenant: string) {
  const control = (name: string): string => `${PREFIX}:{${tenant}}:${name}`;
  return {
    /** `on`, `shadow` or `off`. An operator writes it, workers read it. No expiry. */
    switch: `${SWITCH_PREFIX}:{${tenant}}:switch`,
    /** Holds this mode in reserve: renaming a key works on a server that has no memory left. No expiry. */
    spareSwitch: (mode: FleetMode): string => `${SWITCH_PREFIX}:{${tenant}}:switch:${mode}`,
    /** The settings that workers share, as the first of them wrote them. No expiry. */
    settings: control("settings"),
    /** Lines about fingerprints, for one window of the server's time. */
    news: (epoch: number): string => control(`news:${epoch}`),
    /** A HyperLogLog of the runs that were active within a window. */
    runs: control("runs"),
    /** Runs that asked to be stopped within a window. */
    stops: control("stops"),
    /**
     * HyperLogLogs of a fingerprint's barren calls and of the processes that made them, and the mark that it was announced. Each expires one
     * window after it was begun.
     */
    of(fingerprint: string): { readonly calls: string; readonly witnesses: string; readonly told: string } {
      const start = `${PREFIX}:{${tenant}:${fingerprint}}`;
      return { calls: `${start}:c`, witnesses: `${start}:w`, told: `${start}:t` };
    },
  };
}

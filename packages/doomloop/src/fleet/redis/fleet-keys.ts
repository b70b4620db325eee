import { createHmac, hash } from "node:crypto";
import type { Digest } from "../../core/identity/digest.ts";
import { createRecencyTable } from "../recency-table.ts";

/** The number changes with the form of the data, so that two versions do not read each other's keys. */
const PREFIX = "dl2";
const MAX_KNOWN_NAMES = 4096;
const NAME_BYTES = 16;
const SHORT_ID = /^[\w.:-]{1,24}$/;

export type FleetKeys = ReturnType<typeof fleetKeys>;

/**
 * The names of a tenant's keys. The part in braces selects the slot of a Cluster: one slot for what all workers read, and
 * one for each fingerprint.
 */
export function fleetKeys(tenant: string) {
  const control = (name: string): string => `${PREFIX}:{${tenant}}:${name}`;
  return {
    /** `on`, `shadow` or `off`. An operator writes it, workers read it. No expiry. */
    switch: control("switch"),
    /** The settings that workers share, as the first of them wrote them. No expiry. */
    settings: control("settings"),
    /** A stream of news about fingerprints. The latest entry about each one holds. */
    news: control("news"),
    /** A number that grows with every entry of the news. */
    version: control("version"),
    /** Fingerprints reported within a minute. */
    quota: control("quota"),
    /** A HyperLogLog of the runs that were active within a window. */
    runs: control("runs"),
    /** Runs that asked to be stopped within a window. */
    stops: control("stops"),
    /** HyperLogLogs of a fingerprint's barren calls and of the processes that made them. Both expire one window after the first call. */
    of(fingerprint: string): { readonly calls: string; readonly witnesses: string } {
      const start = `${PREFIX}:{${tenant}:${fingerprint}}`;
      return { calls: `${start}:c`, witnesses: `${start}:w` };
    },
  };
}

/** A fingerprint's name in the store: a keyed hash of 128 bits, so that a reader of the store cannot confirm a guess of the call. */
export type NameOf = (fingerprint: Digest) => string;

export function createNameOf(key: string | Uint8Array, tenant: string): NameOf {
  const known = createRecencyTable<string>(MAX_KNOWN_NAMES);
  return (fingerprint) => {
    const before = known.get(fingerprint);
    if (before !== undefined) return before;
    const text = Buffer.from(`${tenant}\n${fingerprint}`, "utf16le");
    const name = createHmac("sha256", key).update(text).digest().subarray(0, NAME_BYTES).toString("base64url");
    known.set(fingerprint, name);
    return name;
  };
}

/** Identifies a report within the fleet, by the hash of its run and its id. A long or unusual id is hashed, too. */
export function reportName(run: string, id: string): string {
  return `${run}${SHORT_ID.test(id) ? id : `#${shortHash(id)}`}`;
}

/** A hash of 64 bits for a run or a process. If two collide, they count as one: too little, never too much. */
export function shortHash(text: string): string {
  return hash("sha256", Buffer.from(text, "utf16le"), "buffer").subarray(0, 8).toString("base64url");
}

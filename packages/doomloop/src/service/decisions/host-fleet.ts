import { isDoomloopError } from "../../core/doomloop-error.ts";
import { toolLabel } from "../../core/identity/call-identity.ts";
import type { FleetMember } from "../../fleet/fleet-member.ts";
import { redisStore } from "../../fleet/redis-fleet.ts";
import type { OpenFleetStore } from "../../fleet/store.ts";
import { createStoreFleet } from "../../fleet/store-fleet.ts";
import type { FleetState, FlushOutcome } from "../../fleet/store-fleet-options.ts";
import { UsageError } from "../../system/usage-error.ts";
import { faultMessage } from "./fault-notes.ts";
import { openRedis, readBytes, type StoreAddress } from "./open-redis.ts";

/** What the service's fleet tells the operator. */
export type HostFleetNote =
  | { readonly event: "fleet"; readonly message: string }
  | { readonly event: "dead-end"; readonly tool: string; readonly calls: number; readonly processes: number };

/** One membership in a fleet, for all runs of a service. */
export interface HostFleet {
  /** The side of one run. Each run is a worker of its own. */
  join(run: string): FleetMember;
  /** For Prometheus, under the names that `doomloop/telemetry` has for it, so that the same alerts fit. */
  metrics(): string;
  /** Delivers what waits, for a second at most. */
  close(): Promise<void>;
}

export interface HostFleetOptions {
  readonly store: OpenFleetStore;
  readonly key: Uint8Array;
  readonly tenant?: string | undefined;
  readonly heartbeatMs?: number;
  onNote(note: HostFleetNote): void;
}

/** Joins a fleet over any store. Throws a `DoomloopError` for an invalid option. */
export function createHostFleet({ onNote, tenant, ...options }: HostFleetOptions): HostFleet {
  const reports = new Map<FlushOutcome, number>();
  let state: FleetState | undefined;
  const fleet = createStoreFleet({
    ...{ ...options, ...(tenant !== undefined && { tenant }) },
    observer: {
      onFlush: ({ outcome, reports: sent }) => reports.set(outcome, (reports.get(outcome) ?? 0) + sent),
      onState: (next) => {
        const isBack = state === "degraded" && next === "connected";
        if (isBack) onNote({ event: "fleet", message: "the store answers again" });
        state = next;
      },
    },
    onFault: (fault) => onNote({ event: "fleet", message: faultMessage(fault) }),
    onFinding: ({ tool, calls, workers }) =>
      onNote({ event: "dead-end", tool: toolLabel(tool), calls, processes: workers }),
  });
  return {
    join: (run) => fleet.join({ worker: run }),
    metrics() {
      const is = (one: FleetState): [string, number] => [`{doomloop_fleet_state="${one}"}`, one === state ? 1 : 0];
      const sent = [...reports].map(([outcome, count]) => [`{doomloop_flush_outcome="${outcome}"}`, count] as const);
      return [
        ...family("state gauge", "1 for the state of the fleet's store.", [is("connected"), is("degraded")]),
        ...family("reports_total counter", "Reports, by outcome.", sent),
        ...family("dead_ends gauge", "Dead ends of the fleet that are known here.", [["", fleet.findings().length]]),
        "",
      ].join("\n");
    },
    close: () => fleet.close(),
  };
}

function family(what: string, help: string, values: readonly (readonly [labels: string, value: number])[]): string[] {
  const name = `doomloop_fleet_${what.split(" ", 1)[0]}`;
  const type = `# TYPE doomloop_fleet_${what}`;
  return [`# HELP ${name} ${help}`, type, ...values.map(([labels, value]) => `${name}${labels} ${value}`)];
}

/**
 * Joins a fleet over Redis or Valkey. While the store cannot be reached, runs are judged without it. Throws a `UsageError` for what only the
 * user can correct.
 */
export function connectHostFleet(
  address: StoreAddress & { readonly tenant?: string | undefined; readonly keyFile?: string | undefined },
  onNote: HostFleetOptions["onNote"],
): HostFleet {
  const { keyFile, tenant } = address;
  if (keyFile === undefined)
    throw new UsageError("--fleet, or DOOMLOOP_FLEET_URL: --key-file, with the workers' key, is required");
  const key = readKey(keyFile);
  const { client, close } = openRedis("--fleet", address);
  try {
    const fleet = createHostFleet({ store: redisStore(client), key, tenant, onNote });
    return { ...fleet, close: () => fleet.close().finally(close) };
  } catch (error) {
    close();
    if (!isDoomloopError(error)) throw error;
    throw new UsageError(`--fleet: ${error.message}`, { cause: error });
  }
}

/** Reads the workers' key from a file, without line breaks at its end. Throws a `UsageError` that does not reveal the key. */
function readKey(path: string): Uint8Array {
  const bytes: Uint8Array = readBytes("--key-file", path);
  return bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0x0a && byte !== 0x0d) + 1);
}

import { DoomloopError } from "../core/doomloop-error.ts";
import { safely } from "../core/faults.ts";
import { warnOnce } from "../warn-once.ts";
import type { FleetState, FlushOutcome, StoreFleetOptions } from "./store-fleet-options.ts";

/** A single slow answer is not an outage. */
const FAULTS_UNTIL_AWAY = 2;
const MAX_REASON = 120;

/** Asks the store, and knows whether it answers. Tells the host of each outage, and once of what it refuses while it answers the rest. */
export function createStoreLink(deadlineMs: number, options: Pick<StoreFleetOptions, "observer" | "onFault">) {
  const { observer, onFault = warnOnce } = options;
  let faults = 0;
  let refusal: string | undefined;
  let isRefusalTold = false;
  let state: FleetState | undefined;

  const change = (next: FleetState): void => {
    if (state === next || state === "ended") return;
    state = next;
    safely(() => observer?.onState(next));
  };
  const tell = (reason: string): void => {
    const fault = new DoomloopError("store-fault", `fleet: the store does not answer as it should: ${reason}`);
    safely(() => onFault(fault));
  };

  const failed = (outcome: FlushOutcome, reason: string): FlushOutcome => {
    refusal = outcome === "failed" ? reason : undefined;
    if (++faults !== FAULTS_UNTIL_AWAY) return outcome;
    change("degraded");
    tell(reason);
    return outcome;
  };

  const answered = (): void => {
    if (faults === 1 && refusal !== undefined && !isRefusalTold) {
      isRefusalTold = true;
      tell(refusal);
    }
    faults = 0;
    change("connected");
  };

  return {
    /** Waits for the answer until the deadline. A later answer is still taken. */
    async ask<Answer>(question: () => Promise<Answer>, take?: (answer: Answer) => unknown): Promise<FlushOutcome> {
      const asked = async (): Promise<FlushOutcome> => {
        try {
          const answer = await question();
          answered();
          safely(() => take?.(answer));
          return "delivered";
        } catch (fault) {
          return failed("failed", printableReason(fault));
        }
      };
      return (await within(asked(), deadlineMs)) ?? failed("timeout", `no reply within ${deadlineMs} ms`);
    },
    isAway: () => faults >= FAULTS_UNTIL_AWAY,
    isConnected: () => state === "connected",
    end: () => change("ended"),
  };
}

/** What work resolves to; undefined if that takes too long. */
export async function within<Value>(work: Promise<Value>, limitMs: number): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    // If this process was too busy to see the answer in time, what has arrived meanwhile comes first.
    timer = setTimeout(() => setImmediate(resolve, undefined), limitMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** What went wrong, safe to show: one short line of plain ASCII. */
function printableReason(fault: unknown): string {
  const reason = fault instanceof Error ? fault.message : String(fault);
  return reason.slice(0, MAX_REASON).replaceAll(/[^ -~]+/g, " ");
}

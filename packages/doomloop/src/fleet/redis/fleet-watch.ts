import { safely } from "../../core/faults.ts";
import type { FleetMode } from "../../core/fleet-member.ts";
import { differingSettings } from "./fleet-settings.ts";
import { printableReason } from "./redis-commands.ts";
import type { FleetNotice, FleetState, FlushOutcome, RedisFleetOptions } from "./redis-fleet-options.ts";
import type { StoreFault, StoreState } from "./store-link.ts";

/** What this process has sent to the store since it joined, and how that went. */
export interface FleetCounts {
  /** Barren calls: others are not sent. */
  readonly reported: number;
  readonly delivered: number;
  /** Given up, or rejected by the store. The fleet has counted this many too few. */
  readonly lost: number;
  /** Requests to the store. */
  readonly exchanges: number;
  /** Requests that failed. */
  readonly faults: number;
  /** Requests that failed because the reply was late. */
  readonly timeouts: number;
  /** How long the latest exchange took. */
  readonly latencyMs: number;
}

/** Counts what a fleet does and notifies operators. A lasting condition is reported once until it is over. */
export type FleetWatch = ReturnType<typeof createFleetWatch>;

export function createFleetWatch({ onNotice, observer }: Pick<RedisFleetOptions, "onNotice" | "observer">) {
  const counts = { reported: 0, delivered: 0, lost: 0, exchanges: 0, faults: 0, timeouts: 0, latencyMs: 0 };
  const lasting = new Set<string>();
  const refused = new Map<string, Error>();
  let told: FleetState | undefined;
  const notify = (notice: FleetNotice): void => void safely(() => onNotice?.(notice));
  const tellWhile = (holds: boolean, what: string, notice: FleetNotice): void => {
    if (holds && !lasting.has(what)) notify(notice);
    if (holds) lasting.add(what);
    else lasting.delete(what);
  };

  const lost = (reports: number): void => {
    counts.lost += reports;
  };
  /** A batch of reports was sent, or given up. */
  const flushed = (reports: number, outcome: FlushOutcome): void => {
    if (reports > 0) safely(() => observer?.onFlush({ durationMs: counts.latencyMs, reports, outcome }));
  };

  return {
    counts: (): FleetCounts => ({ ...counts }),
    notify,
    answered(tookMs: number, fault: StoreFault | undefined): void {
      counts.exchanges++;
      counts.latencyMs = tookMs;
      if (fault !== undefined) counts.faults++;
      if (fault?.kind === "timeout") counts.timeouts++;
    },
    reported: () => void counts.reported++,
    delivered(reports: number): void {
      counts.delivered += reports;
    },
    lost,
    flushed,
    /** Reports were given up without asking the store. */
    dropped(reports: number): void {
      lost(reports);
      flushed(reports, "dropped");
    },
    /** The store answered a request but rejected some of it. */
    refused(what: string, error: Error): void {
      if (refused.size === 0) notify({ kind: "reports-refused", reason: printableReason(error) });
      refused.set(what, error);
    },
    taken: (what: string) => refused.delete(what),
    isRefused: () => refused.size > 0,
    /** A write succeeded, so earlier rejections are over, except those for missing rights. */
    written(): void {
      for (const [what, error] of refused) if (!isForbidden(error)) refused.delete(what);
    },
    settings(own: string, agreed = own): void {
      const settings = differingSettings(own, agreed);
      tellWhile(settings.length > 0, "mismatch", { kind: "settings-differ", settings });
    },
    quota: (isReached: boolean) => tellWhile(isReached, "quota", { kind: "quota-reached" }),
    tellState(mode: FleetMode | "ended", store: StoreState): void {
      const isDegraded = store === "away" || refused.size > 0;
      const standing = isDegraded ? "degraded" : lasting.has("mismatch") ? "mismatch" : "connected";
      const state = mode === "on" ? standing : mode;
      if (state === told || told === "ended") return;
      told = state;
      safely(() => observer?.onState(state));
    },
  };
}

/** A right to one command says nothing about the right to another. */
function isForbidden({ message }: Error): boolean {
  return message.startsWith("NOPERM");
}

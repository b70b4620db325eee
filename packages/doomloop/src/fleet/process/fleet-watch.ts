import { safely } from "../../core/faults.ts";
import type { FleetMode } from "../../core/fleet-view.ts";
import type { ClearedCall } from "../cleared-calls.ts";
import { differingSettings } from "./fleet-settings.ts";
import type { FleetNotice, FleetState, FlushOutcome, StoreFleetOptions } from "./store-fleet-options.ts";
import type { StoreFault, StoreState } from "./store-link.ts";

const MAX_REASON = 120;

/** An error's message, safe to show: one short line of plain ASCII. */
export function printableReason({ message }: Error): string {
  return message.slice(0, MAX_REASON).replaceAll(/[^ -~]+/g, " ");
}

/** What this process has sent to the store since it joined, and how that went. */
export interface FleetCounts {
  /** Barren calls: others are not sent. */
  readonly reported: number;
  readonly delivered: number;
  /** Given up, or rejected by the store. The fleet has counted this many too few. */
  readonly lost: number;
  /** Not sent, because the fleet already knows enough about the call. */
  readonly spared: number;
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

export function createFleetWatch({ onNotice, observer }: Pick<StoreFleetOptions, "onNotice" | "observer">) {
  const counts = { reported: 0, delivered: 0, lost: 0, spared: 0, exchanges: 0, faults: 0, timeouts: 0, latencyMs: 0 };
  const lasting = new Set<string>();
  const refused = new Map<string, Error>();
  let told: FleetState | undefined;
  let toldMode: FleetMode | undefined;
  const notify = (notice: FleetNotice): void => {
    safely(() => onNotice?.(notice));
    safely(() => observer?.onNotice?.(notice.kind));
  };
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
    spared(reports: number): void {
      counts.spared += reports;
    },
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
    removed: (isRemoved: boolean) => tellWhile(isRemoved, "removal", { kind: "news-removed" }),
    hidden: (calls: readonly ClearedCall[]) => tellWhile(calls.length > 0, "hiding", { kind: "counts-removed", calls }),
    flooded: (isFlooded: boolean) => tellWhile(isFlooded, "flood", { kind: "news-flooded" }),
    /** The mode does not hide what the store does: the observer is told both. */
    tellState(mode: FleetMode | "ended", store: StoreState): void {
      const isDegraded = store === "away" || refused.size > 0;
      const state = isDegraded ? "degraded" : lasting.has("mismatch") ? "mismatch" : "connected";
      tell(mode === "ended" ? mode : state);
      if (mode === "ended" || mode === toldMode) return;
      toldMode = mode;
      safely(() => observer?.onMode?.(mode));
    },
  };

  function tell(state: FleetState): void {
    if (state === told || told === "ended") return;
    told = state;
    safely(() => observer?.onState(state));
  }
}

/** A right to one command says nothing about the right to another. */
function isForbidden({ message }: Error): boolean {
  return message.startsWith("NOPERM");
}

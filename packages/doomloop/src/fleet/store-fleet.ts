import { createHmac } from "node:crypto";
import { safely } from "../core/faults.ts";
import type { FleetMode } from "../core/fleet-view.ts";
import { toolLabel } from "../core/identity/call-identity.ts";
import { type Digest, isDigest } from "../core/identity/digest.ts";
import { createSteadyClock, type Fleet, type FleetWorker, resolveFleetWorker } from "./fleet.ts";
import { memberOf } from "./fleet-evidence.ts";
import type { FleetReport } from "./fleet-member.ts";
import { createMemoryFleet } from "./memory-fleet.ts";
import { createStoreExchange } from "./store-exchange.ts";
import { resolveStoreOptions, type StoreFleetOptions, shortHash } from "./store-fleet-options.ts";
import { within } from "./store-link.ts";

/** A fleet that keeps its counts in a store. Each process also counts its own workers' calls, as `createMemoryFleet` does. */
export interface StoreFleet extends Fleet {
  /** Forgets what this process knows. In the store, it clears the calls that this process reported or that are suspected. */
  clear(): void;
  /**
   * Delivers the reports that wait, for at most `deadlineMs`, and then stops. Members go on as if the store were away.
   * The store's client belongs to the caller and stays open.
   */
  close(): Promise<void>;
}

/** About how long a report waits, so that others can be sent with it. */
const TICK_MS = 300;
const MOST_BATCHES = 100;

/** Creates one process's side of a fleet over a store. Throws a `DoomloopError` for an invalid option. */
export function createStoreFleet(options: StoreFleetOptions): StoreFleet {
  const settings = resolveStoreOptions(options);
  const { key, tenant, windowMs, countAll, mode, heartbeatMs, deadlineMs } = settings;
  const local = createMemoryFleet(options);
  // If the clock throws, the time stands still, as it does when the clock is set back.
  const now = createSteadyClock(() => safely(options.now ?? (() => performance.now())) ?? Number.NaN);
  const exchange = createStoreExchange(options, settings, now);
  const { link, queue } = exchange;
  let turns: Promise<void> = Promise.resolve();
  let activeAt = performance.now();
  let beatAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let isTurning = false;
  let isClosed = false;

  /** A call's name in the store: a keyed hash of 132 bits, so that a reader of the store cannot confirm a guess of the call. */
  const nameOf = (fingerprint: Digest): string =>
    createHmac("sha256", key).update(`${tenant}\n${fingerprint}`, "utf16le").digest("base64url").slice(0, 22);

  const inTurn = (work: () => Promise<void>): Promise<void> => {
    turns = turns.then(work);
    return turns;
  };

  const turn = async (): Promise<void> => {
    if (!link.isAway()) await exchange.deliver();
    if (performance.now() < beatAt && (link.isAway() || !exchange.isAnyDue())) return;
    beatAt = performance.now() + heartbeatMs * (0.8 + 0.2 * Math.random());
    await exchange.beat();
  };

  /** The timer does not keep the process alive. It ends when the runs of this process no longer make calls that others may make, too. */
  const tick = (): void => {
    if (isTurning) return;
    if (performance.now() - activeAt > windowMs && queue.isEmpty()) {
      stop();
      return;
    }
    isTurning = true;
    void inTurn(turn).finally(() => {
      isTurning = false;
    });
  };
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const start = (): void => {
    activeAt = performance.now();
    if (timer !== undefined || isClosed) return;
    timer = setInterval(tick, Math.min(TICK_MS, heartbeatMs) * (0.8 + 0.4 * Math.random())).unref();
    tick();
  };

  const take = ({ worker, run }: FleetWorker, { id, fingerprint, tool, isBarren }: FleetReport): void => {
    if (!isDigest(fingerprint) || typeof id !== "string" || typeof tool !== "string") return;
    const name = nameOf(fingerprint);
    // Workers of two processes may share a name. Their calls must still count as different ones.
    const call = (): string => shortHash(JSON.stringify([settings.witness, worker, run, id]));
    if (isBarren || countAll) exchange.failed(name, toolLabel(tool), call);
    else if (isBarren === false) exchange.worked(name);
    start();
  };

  start();
  return {
    join(who) {
      const worker = resolveFleetWorker(who, countAll);
      const here = local.join(who);
      return memberOf({
        world: worker.world,
        report(report) {
          here.report(report);
          if (!isClosed) safely(() => take(worker, report));
        },
        verdict(fingerprint) {
          const own = here.verdict(fingerprint);
          if (!isDigest(fingerprint) || isClosed) return own;
          start();
          // While the store is away, nobody can clear a suspect, so what was last heard is not used.
          const found = link.isConnected() && exchange.knowsAny() ? exchange.deadEnd(nameOf(fingerprint)) : undefined;
          if (found === undefined || found.calls <= (own?.calls ?? 0)) return own;
          return { calls: found.calls, workers: found.processes, counted: "processes", windowMs };
        },
        mode: () => (typeof mode === "function" ? (mode() as FleetMode) : mode),
      });
    },
    findings() {
      const here = local.findings().map((finding) => ({ ...finding, fingerprint: nameOf(finding.fingerprint) }));
      const own = new Set(here.map(({ fingerprint }) => fingerprint));
      const others = exchange.findings().filter(({ fingerprint }) => !own.has(fingerprint));
      return [...here, ...others].sort((one, other) => other.calls - one.calls);
    },
    clear() {
      local.clear();
      exchange.clearAll();
    },
    flush: () =>
      inTurn(async () => {
        await exchange.deliver(MOST_BATCHES);
        await exchange.beat();
      }),
    async close() {
      if (isClosed) return;
      isClosed = true;
      stop();
      await within(
        inTurn(() => exchange.deliver(MOST_BATCHES)),
        deadlineMs,
      );
      queue.drop();
      link.end();
    },
  };
}

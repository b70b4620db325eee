import type { Digest } from "../../core/identity/digest.ts";
import type { FleetGlobalFinding } from "../fleet.ts";
import { createRecencyTable } from "../recency-table.ts";
import type { StoreAnswer, Suspect } from "../store.ts";
import { settingsText } from "./fleet-settings.ts";
import type { FleetParts } from "./store-fleet.ts";

const MAX_PAGES = 5;
const MAX_CLAIMS = 256;
/** A flood is over after this time without one, so that somebody who comes back at every heartbeat is reported once. */
const FLOOD_MS = 60_000;
/** A process that clears counts says so in the news within this time. */
const LATE_MS = 2000;
/** A restart, a failover or a repair removes the news or the counts once or twice. More often within a window, somebody hides something. */
const REMOVALS = 3;

/** What a heartbeat needs besides the parts of a fleet. */
interface BeatTerms {
  /** Called for a dead end that nobody has objected to, in one process of the fleet. */
  readonly onFinding: (found: FleetGlobalFinding) => void;
  /** Calls that have worked in this process, with the time, the latest last. */
  readonly worked: () => Iterable<readonly [fingerprint: Digest, at: number]>;
}

/**
 * Creates the heartbeat: one question that brings the switch, the settings and the news. It writes only if there are active runs to announce,
 * runs that ask to be stopped, or something to say about a suspect. Beats run one after another, and all callers share a beat that has not
 * begun.
 */
export function createHeartbeat(parts: FleetParts, { onFinding, worked }: BeatTerms) {
  const { store, link, permits, knownSuspects, cleared, settings, suspicions, mode, watch, nameOf, now } = parts;
  const agreement = settingsText(settings);
  /** Dead ends that this process has found, and that nobody has confirmed yet. */
  const claims = createRecencyTable<true>(MAX_CLAIMS);
  let cursor: unknown;
  let floodedAt = Number.NEGATIVE_INFINITY;
  /** When the news were last found to be removed, the oldest first. */
  let removedAt: readonly number[] = [];
  let underWay: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  const hear = (answer: StoreAnswer): void => {
    cursor = answer.cursor;
    mode.hear(answer.switch);
    watch.settings(agreement, answer.agreed);
    for (const { ageMs, ...suspect } of answer.news) {
      cleared.take({ ageMs, ...suspect }, now());
      if (suspect.calls > 0) knownSuspects.set(suspect, ageMs);
      else knownSuspects.delete(suspect.name);
    }
    if (answer.isMore) return;
    if (answer.news.length > 0) object();
    if (!answer.isComplete) return;
    knownSuspects.heardAll();
    cleared.settle(now() - LATE_MS);
  };

  /** Objects to suspects that have worked here since they were first counted, and sends no more about those that are known well enough. */
  const object = (): void => {
    const suspects = new Map(knownSuspects.list().map((suspect) => [suspect.name, suspect]));
    for (const [fingerprint, at] of worked()) {
      const suspect = suspects.get(nameOf(fingerprint));
      if (suspect === undefined || at < knownSuspects.beganAt(suspect)) continue;
      suspicions.succeeded(fingerprint);
      knownSuspects.delete(suspect.name);
    }
    for (const name of suspects.keys()) if (knownSuspects.isSettled(name, false)) watch.spared(suspicions.spare(name));
  };

  /** Tells operators of the dead ends that this process has found, once nobody objects any more. */
  const announce = async (): Promise<void> => {
    const found = [...claims.entries()].flatMap(([name]) => {
      if (!knownSuspects.has(name)) claims.delete(name);
      return knownSuspects.deadEnd(name) ?? [];
    });
    for (const { name } of found) claims.delete(name);
    if (found.length === 0) return;
    const told = found.map((suspect) => ({ ...suspect, isConfirmed: true }));
    await link.ask("announce", [() => store.announce(told)], (answer) => {
      if (answer instanceof Error) return;
      for (const [at, isFirst] of answer.entries()) if (isFirst) onFinding(findingOf(found[at]!, settings.windowMs));
    });
  };

  const askPermits = async (): Promise<void> => {
    const request = permits.request(watch.isRefused());
    if (request === undefined) return;
    await link.ask("permit", [() => store.permit(request)], (answer) => {
      if (answer instanceof Error) {
        request.retry();
        return;
      }
      request.take(answer);
      watch.written();
    });
  };

  const beat = async (): Promise<void> => {
    mode.weigh();
    knownSuspects.asked();
    for (let page = 0, isMore = true; isMore && page < MAX_PAGES; page++) {
      isMore = false;
      const question = { cursor, agreement: mode.current() === "off" ? undefined : agreement };
      await link.ask("beat", [() => store.beat(question)], (answer) => {
        if (answer instanceof Error) return;
        hear(answer);
        isMore = answer.isMore;
        if (answer.isFlooded === true) floodedAt = now();
        if (answer.isRemoved === true) removedAt = [...removedAt, now()].slice(-REMOVALS);
      });
    }
    watch.flooded(now() - floodedAt < FLOOD_MS);
    watch.removed(removedAt.length === REMOVALS && now() - removedAt[0]! < settings.windowMs);
    watch.hidden(cleared.list(now()).filter(({ unsaid }) => unsaid >= REMOVALS));
    watch.quota(suspicions.isHeld());
    if (link.state() !== "connected" || mode.current() === "off") return;
    await askPermits();
    await announce();
  };

  return {
    /** This process has just made a dead end of a suspect. */
    claim: (name: string): void => claims.set(name, true),
    beat(): Promise<void> {
      next ??= Promise.resolve(underWay).then(() => {
        next = undefined;
        return beat();
      });
      underWay = next;
      return next;
    },
  };
}

/** A dead end of the whole fleet as a finding. The store does not know which workers made the calls. */
export function findingOf({ name, tool, calls, workers }: Suspect, windowMs: number): FleetGlobalFinding {
  return { fingerprint: name, tool, calls, workers, counted: "processes", windowMs, workerNames: [] };
}

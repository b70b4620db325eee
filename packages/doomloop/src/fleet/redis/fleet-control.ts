import type { FleetMode } from "../../core/fleet-member.ts";
import type { Announcements } from "./announcements.ts";
import type { Thresholds } from "./count-call.ts";
import type { DeadEnd, DeadEnds } from "./dead-ends.ts";
import type { FleetClock } from "./fleet-clock.ts";
import type { FleetKeys } from "./fleet-keys.ts";
import type { FleetNotice } from "./fleet-notice.ts";
import { type FleetSwitches, readSwitches } from "./fleet-switches.ts";
import { createGenerations } from "./generations.ts";
import { type PulseReply, pulseWords, readPulseReply } from "./pulse-call.ts";
import type { ResolvedRedisOptions } from "./redis-fleet-options.ts";
import type { RunCensus } from "./run-census.ts";
import { pulseScript } from "./scripts/pulse-script.ts";
import type { StoreAnswer, StoreLink } from "./store-link.ts";

/** What this process knows of the whole fleet, brought up to date by a pulse. */
export interface FleetControl {
  /** Tells and asks the store; true if it answered. A pulse under way serves all who ask. */
  pulse(): Promise<boolean>;
  /** Waits for a connection that is being made, until then at the latest, and asks for the epoch; true if it is known. */
  meet(until: number): Promise<boolean>;
  /** A part of the names of keys, the same in all workers; undefined until the store was asked. */
  epoch(): string | undefined;
  /** Forgets everything, in all workers, with the next pulse. */
  clear(): void;
  mode(): FleetMode;
  /** The same object until they change. */
  thresholds(): Thresholds;
  runs(): PulseReply["runs"];
}

export interface FleetControlOptions {
  readonly settings: ResolvedRedisOptions;
  readonly keys: FleetKeys;
  readonly clock: FleetClock;
  readonly link: StoreLink;
  readonly census: RunCensus;
  readonly announcements: Announcements;
  readonly deadEnds: DeadEnds;
  /** This process, as the store knows it. */
  readonly caller: string;
  nonce(): string;
  notify(notice: FleetNotice): void;
  /** A dead end that no worker had told of before. */
  onFresh(deadEnd: DeadEnd): void;
}

/** Leaves distrust only when clearly fewer runs loop than made it distrust itself. */
const TRUST_AGAIN = 0.8;
const MAX_FRESH = 1000;

export function createFleetControl(options: FleetControlOptions): FleetControl {
  const { settings, keys, clock, link, census, announcements, deadEnds, caller, nonce, notify, onFresh } = options;
  const { windowMs, maxStoppedShare, distrustShare, minRuns } = settings;
  const fresh = createGenerations<boolean>(MAX_FRESH);
  let epoch: string | undefined;
  let version = 0;
  let isClearing = false;
  let switches: FleetSwitches = {};
  let switchText = "";
  let thresholds = thresholdsOf(switches, settings);
  let isDistrusting = false;
  let runs: PulseReply["runs"] = { active: 0, looping: 0, stopped: 0 };
  let underWay: Promise<boolean> | undefined;

  const mode = (): FleetMode => {
    if (switches.mode === "off") return "off";
    return isDistrusting ? "shadow" : (switches.mode ?? "on");
  };

  const changingMode = (because: "switch" | "distrust", change: () => void): void => {
    const before = mode();
    change();
    if (mode() !== before) notify({ kind: "mode", mode: mode(), because });
  };

  const obey = (text: string): void => {
    if (text === switchText) return;
    switchText = text;
    const read = readSwitches(text);
    if (read === undefined) {
      notify({ kind: "switch-unreadable" });
      return;
    }
    thresholds = thresholdsOf(read, settings);
    changingMode("switch", () => (switches = read));
  };

  const weigh = ({ active, looping }: PulseReply["runs"]): void => {
    const share = active < minRuns ? 0 : looping / active;
    const limit = isDistrusting ? distrustShare * TRUST_AGAIN : distrustShare;
    changingMode("distrust", () => (isDistrusting = share > limit));
  };

  const learn = (reply: PulseReply): void => {
    if (reply.epoch !== epoch) {
      deadEnds.clear();
      announcements.clear();
      epoch = reply.epoch;
    }
    version = reply.version;
    runs = reply.runs;
    for (const deadEnd of reply.changed) {
      deadEnds.set(deadEnd);
      announcements.heard(deadEnd);
    }
    for (const name of reply.cleared) {
      deadEnds.delete(name);
      announcements.unheard(name);
    }
    obey(reply.switches);
    weigh(reply.runs);
  };

  const ask = async (): Promise<boolean> => {
    const wasClearing = isClearing;
    const told = { runs: census.news(), announcements: announcements.news() };
    const known = { epoch: epoch ?? "", version, isClearing: wasClearing, time: clock.storeTime() };
    const words = [nonce(), ...pulseWords({ ...known, ...told, caller, windowMs, maxStoppedShare })];
    const answer = await new Promise<StoreAnswer>((done) => link.run(pulseScript, keys.control, words, done));
    if ("fault" in answer) return false;
    const reply = readPulseReply(answer.reply, windowMs);
    if (reply === undefined) return false;
    // Cleared while the reply was on its way: what it says is of before.
    if (isClearing && !wasClearing) return false;
    isClearing = false;
    census.told(told.runs, reply.granted);
    announcements.told(told.announcements);
    learn(reply);
    for (const deadEnd of told.announcements.found) {
      // The reply in which it was new may have been lost.
      const isNew =
        reply.fresh.includes(deadEnd.name) || (reply.again.includes(deadEnd.name) && !fresh.get(deadEnd.name));
      if (!isNew) continue;
      fresh.set(deadEnd.name, true);
      onFresh(deadEnd);
    }
    return true;
  };

  const pulse = (): Promise<boolean> => {
    underWay ??= ask().finally(() => (underWay = undefined));
    return underWay;
  };
  const currentEpoch = (): string | undefined => (isClearing ? undefined : epoch);

  return {
    pulse,
    async meet(until) {
      // Twice, because there are clients that connect with the first question, and are not done within its deadline.
      for (let tried = 0; tried === 0 || (tried < 2 && performance.now() < until); tried++) {
        await link.ready(until);
        if (currentEpoch() !== undefined || (await pulse())) return true;
      }
      return false;
    },
    epoch: currentEpoch,
    clear() {
      isClearing = true;
      deadEnds.clear();
      announcements.clear();
    },
    mode,
    thresholds: () => thresholds,
    runs: () => runs,
  };
}

function thresholdsOf(switches: FleetSwitches, settings: ResolvedRedisOptions): Thresholds {
  const calls = Math.min(switches.calls ?? settings.calls, settings.maxCallsPerFingerprint);
  return { calls, workers: Math.min(switches.workers ?? settings.workers, calls) };
}

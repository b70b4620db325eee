import type { Breaker } from "./breaker.ts";
import type { FleetControl } from "./fleet-control.ts";
import type { ResolvedRedisOptions } from "./redis-fleet-options.ts";

/** Brings what is known of the fleet up to date now and then, while somebody uses it. */
export interface PulseTimer {
  /** Somebody uses the fleet. */
  touch(): void;
  /** There is something to tell or to ask: the next pulse comes soon, but not more than four times as often. */
  hurry(): void;
  close(): void;
}

export interface PulseTimerOptions {
  readonly settings: ResolvedRedisOptions;
  readonly control: FleetControl;
  readonly breaker: Breaker;
  /** Nobody uses the fleet any more, for now. */
  onIdle(): void;
}

/** Pulses without use after which a fleet falls asleep. */
const IDLE_PULSES = 60;

export function createPulseTimer({ settings, control, breaker, onIdle }: PulseTimerOptions): PulseTimer {
  const { pulseMs, flushMs } = settings;
  let timer: NodeJS.Timeout | undefined;
  let isHurried = false;
  let isClosed = false;
  let isTouched = false;
  let idle = 0;
  let latest = Number.NEGATIVE_INFINITY;

  const arm = (ms: number): void => {
    if (isClosed) return;
    clearTimeout(timer);
    timer = setTimeout(beat, ms).unref();
  };

  /** A little early, so that a switch takes effect within the time, and spread, so that workers do not come at once. */
  const pause = (): number => Math.max(pulseMs * (0.8 + Math.random() * 0.15), breaker.dueInMs());

  const beat = async (): Promise<void> => {
    isHurried = false;
    latest = performance.now();
    idle = isTouched ? 0 : idle + 1;
    isTouched = false;
    if (idle > IDLE_PULSES) {
      timer = undefined;
      onIdle();
      return;
    }
    if (breaker.mayTry()) await control.pulse();
    if (!isHurried) arm(pause());
  };

  return {
    touch() {
      isTouched = true;
      if (timer === undefined) arm(0);
    },
    hurry() {
      if (isHurried) return;
      isHurried = true;
      arm(Math.max(flushMs, latest + pulseMs / 4 - performance.now()));
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

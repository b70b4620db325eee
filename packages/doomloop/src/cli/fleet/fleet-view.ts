import type { Fleet, FleetGlobalFinding } from "../../fleet/fleet.ts";
import { within } from "./within.ts";

/** What the screen needs of a fleet. */
export interface FleetView {
  /** Brings what is known here up to date. May reject: the screen says so and goes on. */
  refresh(): Promise<void>;
  /** The dead ends that are known, the one with the most calls first. Names in them were written by someone else. */
  findings(): readonly FleetGlobalFinding[];
  /** How the fleet stands to its store, in one word; undefined where it has no store. */
  state(): string | undefined;
  /** Lets go of the store. Never rejects. */
  close(): Promise<void>;
}

/** A fleet that may have a store, and know how it stands to it. */
export type WatchableFleet = Pick<Fleet, "findings" | "flush"> & { state?(): string; close?(): unknown };

const CLOSE_MS = 1000;

/** Looks at any fleet. `disconnect` is called last, when the view is closed. */
export function viewFleet(fleet: WatchableFleet, disconnect: () => void = () => {}): FleetView {
  return {
    refresh: () => fleet.flush(),
    findings: () => fleet.findings(),
    state: () => fleet.state?.(),
    async close() {
      try {
        await within(CLOSE_MS, Promise.resolve(fleet.close?.()));
      } catch {
        // Only looked at: there is nothing to lose.
      }
      disconnect();
    },
  };
}

import type { FleetMode } from "../../core/fleet-member.ts";

/** What the people who run a fleet are told: facts, no words. */
export type FleetNotice =
  /** The store does not answer. Each worker goes on by itself, as without a fleet. Told once until it is back. */
  | { readonly kind: "store-away"; readonly reason: string }
  | { readonly kind: "store-back"; readonly awayMs: number }
  /** `switch`: somebody set it for the fleet · `distrust`: so many runs loop that the fault is taken to be ours. */
  | { readonly kind: "mode"; readonly mode: FleetMode; readonly because: "switch" | "distrust" }
  /** What is in the switch's key cannot be read. The switches stay as they were. */
  | { readonly kind: "switch-unreadable" };

import { DoomloopError } from "../../core/doomloop-error.ts";
import { type Digest, isDigest } from "../../core/identity/digest.ts";
import { isWorkerName } from "../fleet.ts";
import type { Tally } from "./tally.ts";

/** A saved memory fleet. Opaque. It holds digests and the names of tools and workers, no arguments and no results. */
export interface MemoryFleetSnapshot {
  readonly version: 1;
  /** When it was saved, by the fleet's clock. */
  readonly at: number;
  /** The one whose latest report is the oldest comes first. */
  readonly tallies: readonly SavedTally[];
}

interface SavedTally {
  readonly fingerprint: Digest;
  readonly tool: string;
  readonly buckets: readonly SavedBucket[];
}

interface SavedBucket {
  /** Time from the start of the bucket until the fleet was saved. */
  readonly ageMs: number;
  readonly counted: readonly (readonly [id: Digest, worker: string])[];
  readonly settled: readonly Digest[];
}

export function saveTally(fingerprint: Digest, tally: Tally, ageOf: (slot: number) => number): SavedTally {
  const buckets = [...tally.buckets()].map(([slot, { counted, settled }]) => ({
    ageMs: ageOf(slot),
    counted: [...counted],
    settled: [...settled],
  }));
  return { fingerprint, tool: tally.tool, buckets };
}

/** Checks the outer form of a snapshot; throws if this version cannot read it. */
export function checkMemoryFleetSnapshot(snapshot: unknown): MemoryFleetSnapshot {
  const { version, at, tallies } = asRecord(snapshot);
  if (version !== 1) throw refusal(`version 1 is required, got ${String(version)}`);
  if (!Number.isFinite(at)) throw refusal(`at: a number is required, got ${String(at)}`);
  if (!Array.isArray(tallies)) throw refusal(`tallies: a list is required, got ${typeof tallies}`);
  return snapshot as MemoryFleetSnapshot;
}

/** Reads a saved tally into an empty one. Returns its fingerprint, or undefined if nothing in it could be read. */
export function readTally(saved: unknown, into: Tally, slotOf: (ageMs: number) => number): Digest | undefined {
  const { fingerprint, tool, buckets } = asRecord(saved);
  if (!isDigest(fingerprint) || typeof tool !== "string" || !Array.isArray(buckets)) return undefined;
  const readable = buckets.map(asRecord).map(({ ageMs, counted, settled }) => ({
    slot: typeof ageMs === "number" && ageMs >= 0 ? slotOf(ageMs) : Number.NaN,
    counted: asList(counted).map(asList),
    settled: asList(settled).filter(isDigest),
  }));
  const known = readable.filter(({ slot }) => Number.isFinite(slot));
  for (const { slot, settled } of known) for (const id of settled) into.add(id, "settled", tool, slot);
  into.settle();
  for (const { slot, counted } of known) {
    for (const [id, worker] of counted) if (isDigest(id) && isWorkerName(worker)) into.add(id, worker, tool, slot);
  }
  return Number.isFinite(into.latestSlot) ? fingerprint : undefined;
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function refusal(what: string): DoomloopError {
  return new DoomloopError("invalid-snapshot", `fleet snapshot: ${what}`);
}

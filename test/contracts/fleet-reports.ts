import type { FleetMember } from "doomloop/fleet";
import type { FleetReport } from "../../packages/doomloop/src/fleet/fleet-member.ts";

/** A fingerprint for tests: different for different numbers from 0 to 999. */
export function fingerprint(number: number): string {
  return String.fromCharCode(0x3400 + number).repeat(9);
}

export function report(id: number, more: Partial<FleetReport> = {}): FleetReport {
  return { id: String(id), fingerprint: fingerprint(0), tool: "fetch", isBarren: true, ...more };
}

/** Barren reports with ids from `first` on. */
export function reports(count: number, first = 0, more: Partial<FleetReport> = {}): FleetReport[] {
  return Array.from({ length: count }, (_, at) => report(first + at, more));
}

export function tell(member: FleetMember, ...told: readonly FleetReport[]): void {
  for (const each of told) member.report(each);
}

/** A clock that stands where it was set. */
export function manualClock(at = 1_000_000): { at: number; now: () => number } {
  const clock = { at, now: () => clock.at };
  return clock;
}

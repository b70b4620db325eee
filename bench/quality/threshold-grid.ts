import type { GuardOptions } from "../../packages/doomloop/src/core/options.ts";

/** The thresholds that move the result most, each one step below and above what is shipped: 27 settings. */
export function thresholdGrid(): Record<string, GuardOptions> {
  const grid: Record<string, GuardOptions> = {};
  for (const same of [2, 3, 4]) {
    for (const failures of [3, 4, 5]) {
      for (const similar of [3, 4, 5]) {
        grid[`same ${same}, failures ${failures}, similar ${similar}`] = {
          detectors: {
            "repeated-call": { threshold: same },
            "same-outcome": { threshold: failures },
            "similar-call": { threshold: similar },
          },
        };
      }
    }
  }
  return grid;
}

/** What is shipped, by its name in the grid. */
export const SHIPPED = "same 3, failures 4, similar 4";

/** How many cases a property is tried with. `DOOMLOOP_PROPERTY_RUNS` asks for more in a long run; dear properties divide it. */
export function propertyRuns(): number {
  return Number(process.env.DOOMLOOP_PROPERTY_RUNS ?? 1000);
}

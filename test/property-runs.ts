/** Of the runs that are asked for, the part that a detail gets. */
const DETAIL_SHARE = 0.2;
const FEWEST = 1000;

/**
 * How many cases a property is tried with; `DOOMLOOP_PROPERTY_RUNS` asks for more in a long run.
 *
 * What the guard promises its users (`test/adversarial`) gets all of them, details of single parts a fifth.
 */
export function propertyRuns(of: "promise" | "detail" = "detail"): number {
  const asked = Number(process.env.DOOMLOOP_PROPERTY_RUNS ?? FEWEST);
  return of === "promise" || asked <= FEWEST ? asked : Math.max(FEWEST, Math.round(asked * DETAIL_SHARE));
}

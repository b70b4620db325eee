const COLOURS = 7;
const PATTERNS = 2;

/** The class that gives a group its colour: seven that colour-blind people tell apart, then the same hatched, then grey. */
export function stepColour(index: number | null | undefined): string {
  if (index === undefined) return "colour-gap";
  if (index === null) return "colour-single";
  if (index >= COLOURS * PATTERNS) return "colour-other";
  return `colour-${index % COLOURS}${index >= COLOURS ? " hatched" : ""}`;
}

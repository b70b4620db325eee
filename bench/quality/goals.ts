/** Where we want to be. A goal that is not reached fails nothing: what is worse than committed does. */
export interface Goal {
  readonly instrument: string;
  readonly figure: string;
  readonly bound: number;
}

/** All goals. Whether a figure is to be at least or at most its bound, the figure itself knows. */
export const goals: readonly Goal[] = [
  { instrument: "recorded windows", figure: "precision", bound: 0.95 },
  { instrument: "recorded windows", figure: "recall", bound: 0.85 },
  { instrument: "recorded windows", figure: "median delay in calls", bound: 0 },
  { instrument: "successes", figure: "spoken to", bound: 0.012 },
  { instrument: "successes", figure: "refused or ended", bound: 0.005 },
  { instrument: "successes", figure: "ended", bound: 0.001 },
  { instrument: "real sessions", figure: "spoken to", bound: 2 },
  { instrument: "real sessions", figure: "refused or ended", bound: 0 },
  { instrument: "real sessions", figure: "ended", bound: 0 },
  ...everydayGoals("everyday, set 1", 0.015, 0.88),
  ...everydayGoals("everyday, set 2", 0.015, 0.88),
  ...everydayGoals("everyday, set 3", 0.03, 0.8),
  ...variantGoals("everyday variants"),
  ...variantGoals("session variants"),
  { instrument: "rows", figure: "spoken to by the 8th", bound: 0.98 },
  { instrument: "rows", figure: "ended by the 30th", bound: 0.9 },
];

function everydayGoals(instrument: string, innocents: number, loops: number): Goal[] {
  return [
    { instrument, figure: "innocents spoken to", bound: innocents },
    { instrument, figure: "innocents refused", bound: 0 },
    { instrument, figure: "innocents ended", bound: 0 },
    { instrument, figure: "arguable ones refused or ended", bound: 0 },
    { instrument, figure: "words per innocent spoken to, median", bound: 2 },
    { instrument, figure: "words per innocent spoken to, most", bound: 5 },
    { instrument, figure: "loops found in time", bound: loops },
  ];
}

function variantGoals(instrument: string): Goal[] {
  const variants = ["no clock", "no rounds", "no clock, no rounds"];
  return [
    { instrument, figure: "tools renamed: refused or ended", bound: 0 },
    { instrument, figure: "tools renamed: ended", bound: 0 },
    ...variants.flatMap((variant) => [
      { instrument, figure: `${variant}: refused or ended`, bound: 0 },
      { instrument, figure: `${variant}: ended`, bound: 0 },
    ]),
  ];
}

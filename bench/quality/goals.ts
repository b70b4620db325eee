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
  { instrument: "successes", figure: "ended", bound: 0.003 },
  { instrument: "real sessions", figure: "spoken to", bound: 2 },
  { instrument: "real sessions", figure: "refused or ended", bound: 0 },
  { instrument: "real sessions", figure: "ended", bound: 0 },
  { instrument: "everyday", figure: "innocents spoken to", bound: 0.03 },
  { instrument: "everyday", figure: "innocents refused", bound: 0 },
  { instrument: "everyday", figure: "innocents ended", bound: 0 },
  { instrument: "everyday", figure: "arguable ones refused or ended", bound: 0 },
  { instrument: "everyday", figure: "loops found in time", bound: 0.85 },
  ...variantGoals("everyday variants"),
  ...variantGoals("session variants"),
  { instrument: "teeth", figure: "refused within 4 calls", bound: 0.9 },
  { instrument: "teeth", figure: "ended within 8 calls", bound: 0.9 },
  { instrument: "rows", figure: "ended", bound: 0.95 },
];

function variantGoals(instrument: string): Goal[] {
  const variants = ["no clock", "no rounds", "no clock, no rounds"];
  return [
    { instrument, figure: "tools renamed: refused or ended", bound: 0 },
    { instrument, figure: "tools renamed: ended", bound: 0 },
    ...variants.flatMap((variant) => [
      { instrument, figure: `${variant}: refused or ended`, bound: 0.01 },
      { instrument, figure: `${variant}: ended`, bound: 0.01 },
    ]),
  ];
}

/** Where we want to be. A goal that is not reached fails nothing: what is worse than committed does. */
export interface Goal {
  readonly instrument: string;
  readonly figure: string;
  readonly bound: number;
}

/** All goals. Whether a figure is to be at least or at most its bound, the figure itself knows. */
export const goals: readonly Goal[] = [
  { instrument: "recorded windows", figure: "precision", bound: 0.94 },
  { instrument: "recorded windows", figure: "recall", bound: 0.8 },
  { instrument: "recorded windows", figure: "median delay in calls", bound: 0 },
  { instrument: "later windows, a + d", figure: "precision", bound: 0.88 },
  { instrument: "later windows, a + d", figure: "recall", bound: 0.7 },
  { instrument: "later windows", figure: "F1", bound: 0.8 },
  ...successGoals("successes"),
  ...successGoals("later successes"),
  { instrument: "real sessions", figure: "spoken to", bound: 4 },
  { instrument: "real sessions", figure: "refused or ended", bound: 0 },
  { instrument: "real sessions", figure: "ended", bound: 0 },
  ...everydayGoals("everyday, set 1", 0.04, 0.85),
  ...everydayGoals("everyday, set 2", 0.04, 0.82),
  ...everydayGoals("everyday, set 3", 0.04, 0.72),
  ...everydayGoals("everyday, set 8", 0.15, 0.6),
  ...variantGoals("everyday variants"),
  ...variantGoals("session variants"),
  { instrument: "rows", figure: "spoken to by the 8th", bound: 0.98 },
  { instrument: "rows", figure: "ended by the 30th", bound: 0.9 },
  ...["usual", "fast", "slow", "no clock, no rounds, no flags"].flatMap((host) => [
    { instrument: "plain loops", figure: `${host}: refused by 35, ended by 70`, bound: 1 },
    { instrument: "plain loops", figure: `${host}: clear ones by 10, 20`, bound: 1 },
  ]),
  ...["waits", "looks", "insists"].flatMap((reaction) => [
    { instrument: "reactions, honest", figure: `${reaction}: refused`, bound: 0.02 },
    { instrument: "reactions, honest", figure: `${reaction}: ended`, bound: reaction === "insists" ? 0.003 : 0 },
  ]),
  { instrument: "reactions, stuck", figure: "repeats: ended", bound: 0.95 },
  { instrument: "honest series", figure: "items: ended within the calls asked for", bound: 0 },
];

function successGoals(instrument: string): Goal[] {
  return [
    { instrument, figure: "spoken to", bound: 0.02 },
    { instrument, figure: "refused or ended", bound: 0.003 },
    { instrument, figure: "ended", bound: 0 },
  ];
}

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

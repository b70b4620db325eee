import type { RecordedStep, Rule } from "./recorded-step.ts";

const WINDOW = 20;
const THRESHOLD = 3;

/**
 * deer-flow: a model answer with the same calls, in any order, three times among the last twenty. Its second rule, one
 * tool thirty times whatever for, is left out in its favour: it is set for each tool, and meets all long work in a shell.
 */
export const deerFlow: Rule = (steps) => {
  const rounds = roundsOf(steps);
  const keys = rounds.map(keyOf);
  return rounds.flatMap((round, at) => {
    const recent = keys.slice(Math.max(0, at - WINDOW + 1), at + 1);
    return recent.filter((key) => key === keys[at]).length >= THRESHOLD ? [round.at(-1)!.index] : [];
  });
};

function roundsOf(steps: readonly RecordedStep[]): RecordedStep[][] {
  const rounds: RecordedStep[][] = [];
  for (const step of steps) {
    const own = rounds.at(-1);
    if (own?.[0]?.round === step.round) own.push(step);
    else rounds.push([step]);
  }
  return rounds;
}

function keyOf(round: readonly RecordedStep[]): string {
  return round
    .map(({ key }) => key)
    .sort()
    .join("\n");
}

import type { DeadEndKind, HonestKind, WorkStep } from "./honest-kinds.ts";

/** A call that fails because of the worker's own sandbox, the same in every sandbox, until the worker goes another way. */
export function ownTrouble(title: string, failing: Omit<WorkStep, "isError">, wayOut: string): HonestKind {
  return {
    title,
    *steps({ number }) {
      for (let tries = 2 + (number % 3); tries > 0; tries--) yield { ...failing, isError: true };
      yield { tool: "bash", args: { command: wayOut }, output: `done ${number}` };
    },
  };
}

/** A call that leads nowhere for every worker. */
export function deadEnd(title: string, tool: string, args: unknown, output: string): DeadEndKind {
  return { title, step: { tool, args, output, isError: true } };
}

/** A dead end that the fleet takes for the worker's own. */
export const missed = (kind: DeadEndKind): DeadEndKind => ({ ...kind, isMissed: true });

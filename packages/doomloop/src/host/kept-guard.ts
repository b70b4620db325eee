const MARKER = Symbol.for("doomloop.kept-guard");

/** Saves what an adapter knows besides its guard when the guard moves from process to process: plain data, by name. */
export interface Keeper {
  /** A part as the last process left it; undefined in the first process. */
  saved(part: string): unknown;
  /** Registers how to save a part. `save` is called after the request. */
  keep(part: string, save: () => unknown): void;
}

/** Returns a copy of a guard with its keeper. Copies of that copy have the keeper, too. */
export function withKeeper<Guard extends object>(guard: Guard, keeper: Keeper): Guard {
  return { ...guard, [MARKER]: keeper };
}

/** The keeper of a guard; undefined if the guard lives only in this process. */
export function keeperOf(guard: object | undefined): Keeper | undefined {
  return (guard as { readonly [MARKER]?: Keeper } | undefined)?.[MARKER];
}

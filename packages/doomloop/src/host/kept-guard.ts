const MARKER = Symbol.for("doomloop.kept-guard");

/** What an adapter keeps beside a guard that goes from process to process: plain data, by the name of each part. */
export interface Keeper {
  /** A part as the last process left it; undefined in the first. */
  saved(part: string): unknown;
  /** Says how to save a part. Asked after the request. */
  keep(part: string, save: () => unknown): void;
}

/** Marks a guard as one that is kept. A copy of it is kept, too. */
export function withKeeper<Guard extends object>(guard: Guard, keeper: Keeper): Guard {
  return { ...guard, [MARKER]: keeper };
}

/** Who keeps a guard; undefined for one that lives in this process alone. */
export function keeperOf(guard: object | undefined): Keeper | undefined {
  return (guard as { readonly [MARKER]?: Keeper } | undefined)?.[MARKER];
}

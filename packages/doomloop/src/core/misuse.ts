import { DoomloopError } from "./doomloop-error.ts";

/** Tells the host of a mistake of its own that would switch the guard off in silence. Each kind is told once. */
export type TellMisuse = (kind: string, message: string) => void;

/** Tells nobody. */
export const untold: TellMisuse = () => {};

/** Beyond so many kinds, nothing is told any more. */
const MAX_KINDS = 64;

/** Tells of each kind of misuse once, as a `DoomloopError` with the code `misuse`. */
export function createTellMisuse(report: (fault: unknown) => void): TellMisuse {
  const told = new Set<string>();
  return (kind, message) => {
    if (told.has(kind) || told.size === MAX_KINDS) return;
    told.add(kind);
    report(new DoomloopError("misuse", message));
  };
}

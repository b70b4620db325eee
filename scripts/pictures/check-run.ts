import type { PlayedRun } from "./play-run.ts";

/**
 * What is wrong with a run as an example of a kind of loop; undefined if nothing is. `KIND/loop` must be found, and first by that kind;
 * `KIND/innocent/NAME` must be left alone.
 */
export function checkRun(name: string, kind: string, { rows }: PlayedRun): string | undefined {
  const said = rows.flatMap((row) => ("said" in row ? row.said : []));
  const kinds = said.map(({ finding }) => finding?.kind);
  if (name.startsWith(`${kind}/innocent/`)) {
    return kinds.length === 0 ? undefined : `${name}: silence is required, got ${kinds.join(", ")}`;
  }
  if (name !== `${kind}/loop`) return `${name}: a name like ${kind}/loop or ${kind}/innocent/name is required`;
  return kinds[0] === kind
    ? undefined
    : `${name}: a first word about ${kind} is required, got ${kinds[0] ?? "silence"}`;
}

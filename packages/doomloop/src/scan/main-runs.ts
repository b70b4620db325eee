import type { RunRecord } from "./run-record.ts";

interface NamedRun {
  readonly id: string;
  readonly record: Pick<RunRecord, "agent" | "run" | "parent">;
}

/**
 * The session that each run is part of, by the run's id: the run of the main agent, which started it or whoever started it. Null for a main
 * agent's own.
 *
 * A main run that is not among them is named all the same, by what it would be called.
 */
export function mainRuns(
  runs: readonly NamedRun[],
  idOf: (run: Pick<RunRecord, "agent" | "run">) => string,
): ReadonlyMap<string, string | null> {
  const byName = new Map<string, NamedRun>();
  for (const run of runs) {
    const name = nameOf(run.record);
    if (!byName.has(name)) byName.set(name, run);
  }
  return new Map(runs.map((run) => [run.id, mainOf(run, byName, idOf)]));
}

function mainOf(
  { record }: NamedRun,
  byName: ReadonlyMap<string, NamedRun>,
  idOf: (run: Pick<RunRecord, "agent" | "run">) => string,
): string | null {
  const { agent } = record;
  const passed = new Set([record.run]);
  let main: string | null = null;
  for (let { parent } = record; parent !== null; ) {
    // Somebody else wrote who started whom: where that leads in a circle, nobody is the main agent.
    if (passed.has(parent)) return null;
    passed.add(parent);
    const above = byName.get(nameOf({ agent, run: parent }));
    main = above?.id ?? idOf({ agent, run: parent });
    parent = above?.record.parent ?? null;
  }
  return main;
}

function nameOf({ agent, run }: Pick<RunRecord, "agent" | "run">): string {
  return `${agent}\n${run}`;
}

import { decisionsUntilStop } from "../../../doomloop/src/scan/report/decisions.ts";
import type { LoopSummary, Report, RunSteps, SessionSummary } from "../../../doomloop/src/scan/report/report.ts";
import { ACTION_ORDER, kindWords } from "../../../doomloop/src/scan/report/words.ts";
import { toolSpellings } from "./tool-spellings.ts";

const NO_LOOPS: readonly LoopSummary[] = [];

/** A loop with what the table, the charts and the search need of its session. */
export interface LoopRow {
  readonly loop: LoopSummary;
  /** What people call it. */
  readonly agent: string;
  readonly project: string | null;
  /** One name for each, whatever its spelling in this loop. */
  readonly tools: readonly string[];
  /** Milliseconds; null where no time is known. */
  readonly time: number | null;
  /** The time is that of the file: the transcript bears none. */
  readonly isFileTime: boolean;
  /** The strongest thing that the guard would have done; null where it would have been silent. */
  readonly action: string | null;
  /** The guard would have ended the run before this loop. */
  readonly isPastStop: boolean;
  /** All that can be searched for, in lower case. */
  readonly words: string;
}

export interface ReportIndex {
  readonly rows: readonly LoopRow[];
  readonly possible: readonly LoopRow[];
  session(id: string): SessionSummary | undefined;
  run(id: string): RunSteps | undefined;
  /** The loops of a run and the possible ones, the first first. */
  loops(id: string): readonly LoopSummary[];
}

/**
 * Finds things of a report by session. Ids are looked up as they look in an address.
 *
 * Loops are as they would have been with the guard: nothing is done to a run after its first stop.
 */
export function reportIndex(report: Report): ReportIndex {
  const sessions = new Map(report.sessions.map((session) => [session.id.toWellFormed(), session]));
  const runs = new Map(Object.entries(report.runs).map(([id, run]) => [id.toWellFormed(), run]));
  // Reports of earlier versions know no possible loops.
  const all = [...report.loops, ...(report.possibleLoops ?? [])];
  const toolName = toolSpellings(all.flatMap(({ tools }) => tools));
  const recorded = Map.groupBy(all, (loop) => loop.session.toWellFormed());
  const guarded = new Map<LoopSummary, LoopSummary>();
  const loops = new Map<string, readonly LoopSummary[]>();
  for (const [id, found] of recorded) {
    const stopped = decisionsUntilStop(found);
    for (const [at, loop] of found.entries()) guarded.set(loop, stopped[at] ?? loop);
    loops.set(
      id,
      stopped.toSorted((one, other) => one.onset - other.onset),
    );
  }
  const rowsOf = (found: readonly LoopSummary[]): readonly LoopRow[] =>
    found.map((loop) => ({
      ...rowOf(guarded.get(loop) ?? loop, sessions.get(loop.session.toWellFormed())),
      tools: [...new Set(loop.tools.map(toolName))],
      isPastStop: loop.decisions.length > 0 && guarded.get(loop)?.decisions.length === 0,
    }));
  return {
    rows: rowsOf(report.loops),
    possible: rowsOf(report.possibleLoops ?? []),
    session: (id) => sessions.get(id.toWellFormed()),
    run: (id) => runs.get(id.toWellFormed()),
    loops: (id) => loops.get(id.toWellFormed()) ?? NO_LOOPS,
  };
}

function rowOf(loop: LoopSummary, session: SessionSummary | undefined): Omit<LoopRow, "isPastStop" | "tools"> {
  // Reports of earlier versions know no names.
  const agent = session?.agentName ?? session?.agent ?? "unknown";
  const project = session?.project ?? null;
  const parts = [
    loop.what,
    ...loop.tools,
    loop.kind,
    kindWords(loop.kind, loop.areEqual).name,
    agent,
    session?.agent,
    project,
    session?.model,
    loop.session,
  ];
  const recorded = loop.at ?? session?.startedAt ?? null;
  const time = Date.parse(recorded ?? session?.endedAt ?? "");
  const strongest = Math.max(-1, ...loop.decisions.map(({ action }) => ACTION_ORDER.indexOf(action)));
  return {
    loop,
    agent,
    project,
    time: Number.isNaN(time) ? null : time,
    isFileTime: recorded === null && session?.isFileTime === true,
    action: ACTION_ORDER[strongest] ?? null,
    words: parts
      .filter((part) => typeof part === "string")
      .join("\n")
      .toLowerCase(),
  };
}

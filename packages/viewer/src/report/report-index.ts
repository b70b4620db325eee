import type { LoopSummary, Report, RunSteps, SessionSummary } from "../../../doomloop/src/cli/scan/report.ts";
import { ACTION_ORDER } from "../words/action-words.ts";
import { kindWords } from "../words/kind-words.ts";

/** A loop with what the table, the charts and the search need of its session. */
export interface LoopRow {
  readonly loop: LoopSummary;
  readonly agent: string;
  readonly project: string | null;
  /** Milliseconds; null where no time is known. */
  readonly time: number | null;
  /** The time is that of the file: the transcript bears none. */
  readonly isFileTime: boolean;
  /** The strongest thing that the guard would have done; null where it would have been silent. */
  readonly action: string | null;
  /** All that can be searched for, in lower case. */
  readonly words: string;
}

export interface ReportIndex {
  readonly rows: readonly LoopRow[];
  session(id: string): SessionSummary | undefined;
  run(id: string): RunSteps | undefined;
  /** The loops of a run, the first first. */
  loops(id: string): readonly LoopSummary[];
}

/** Finds things of a report by session. Ids are looked up as they look in an address. */
export function reportIndex(report: Report): ReportIndex {
  const sessions = new Map(report.sessions.map((session) => [session.id.toWellFormed(), session]));
  const runs = new Map(Object.entries(report.runs).map(([id, run]) => [id.toWellFormed(), run]));
  const rows = report.loops.map((loop) => rowOf(loop, sessions.get(loop.session.toWellFormed())));
  const loops = Map.groupBy(report.loops, (loop) => loop.session.toWellFormed());
  return {
    rows,
    session: (id) => sessions.get(id.toWellFormed()),
    run: (id) => runs.get(id.toWellFormed()),
    loops: (id) => (loops.get(id.toWellFormed()) ?? []).toSorted((one, other) => one.onset - other.onset),
  };
}

function rowOf(loop: LoopSummary, session: SessionSummary | undefined): LoopRow {
  const agent = session?.agent ?? "unknown";
  const project = session?.project ?? null;
  const parts = [
    loop.what,
    ...loop.tools,
    loop.kind,
    kindWords(loop.kind).name,
    agent,
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

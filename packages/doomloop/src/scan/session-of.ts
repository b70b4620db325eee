import { basename, win32 } from "node:path";
import { isoTime } from "./iso-time.ts";
import type { SessionSummary } from "./report/report.ts";
import type { SettledRun } from "./settle-runs.ts";

/** Names of models as they are written; an address, or a text, is none. */
const MODEL = /^(?!.*:\/\/)[\w.:@/-]{1,100}$/;

/** What a report says of a run. */
export function sessionOf({ id, partOf, record, file }: SettledRun, nameOf: (agent: string) => string): SessionSummary {
  const { agent, project, model, startedAt, endedAt, calls, tokens, costUsd, costFrom, loops } = record;
  return {
    id,
    partOf,
    agent,
    agentName: nameOf(agent),
    project: project === null ? null : folderName(project),
    model: model !== null && MODEL.test(model) ? model : null,
    startedAt: isoTime(startedAt ?? undefined),
    endedAt: isoTime(endedAt ?? file.modifiedMs),
    isFileTime: endedAt === null,
    calls,
    tokens,
    costUsd,
    costFrom,
    loops: loops.length,
  };
}

/** The last part of a path, whichever system wrote it. */
function folderName(path: string): string {
  return basename(win32.basename(path)) || path;
}

/** The latest first. */
export function byTime(one: SessionSummary, other: SessionSummary): number {
  const [earlier, later] = [one.startedAt ?? one.endedAt ?? "", other.startedAt ?? other.endedAt ?? ""];
  if (earlier !== later) return earlier < later ? 1 : -1;
  return one.id < other.id ? -1 : 1;
}

import type { SessionSummary } from "../../../doomloop/src/cli/scan/report.ts";
import { formatDuration } from "../format/format-duration.ts";
import { formatSpent } from "../format/format-spent.ts";
import { formatTime } from "../format/format-time.ts";
import { Foreign } from "../page/foreign.tsx";

/** Whose run it was, when, and what it cost in all. */
export function RunFacts({ id, session }: { readonly id: string; readonly session: SessionSummary | undefined }) {
  if (session === undefined) return <p class="hero-facts">Run {<Foreign text={id} />}</p>;
  const { agent, project, model, startedAt, endedAt, isFileTime } = session;
  const duration = isFileTime ? undefined : formatDuration(Date.parse(endedAt ?? "") - Date.parse(startedAt ?? ""));
  return (
    <p class="hero-facts">
      <Foreign text={agent} />
      {project !== null && (
        <>
          {" "}
          in <Foreign text={project} />
        </>
      )}
      {model !== null && (
        <>
          {" · "}
          <Foreign text={model} />
        </>
      )}
      {" · "}
      {formatTime(startedAt) ?? fileTime(session) ?? "unknown time"}
      {duration !== undefined && `, ${duration}`}
      {" · "}
      {formatSpent(session)} in all
      {" · run "}
      <Foreign text={id} />
    </p>
  );
}

/** When the file was last written, where that is all that is known. */
function fileTime({ endedAt, isFileTime }: SessionSummary): string | undefined {
  const time = isFileTime ? formatTime(endedAt) : undefined;
  return time === undefined ? undefined : `file of ${time}`;
}

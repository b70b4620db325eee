import type { SessionSummary } from "../../../doomloop/src/cli/scan/report.ts";
import { formatDuration } from "../format/format-duration.ts";
import { formatSpent } from "../format/format-spent.ts";
import { formatTime } from "../format/format-time.ts";
import { Foreign } from "../page/foreign.tsx";

/** Whose run it was, when, and what it cost in all. */
export function RunFacts({ id, session }: { readonly id: string; readonly session: SessionSummary | undefined }) {
  if (session === undefined) return <p class="hero-facts">Run {<Foreign text={id} />}</p>;
  const { agent, project, model, startedAt, endedAt } = session;
  const duration = formatDuration(Date.parse(endedAt ?? "") - Date.parse(startedAt ?? ""));
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
      {formatTime(startedAt) ?? "unknown time"}
      {duration !== undefined && `, ${duration}`}
      {" · "}
      {formatSpent(session)} in all
      {" · run "}
      <Foreign text={id} />
    </p>
  );
}

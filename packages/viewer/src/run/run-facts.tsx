import { closelyKnown } from "../../../doomloop/src/scan/report/answer.ts";
import type { SessionSummary } from "../../../doomloop/src/scan/report/report.ts";
import { count, spanInWords } from "../../../doomloop/src/scan/report/words.ts";
import { formatTime } from "../format/format-time.ts";
import { Foreign } from "../page/foreign.tsx";

/** Whose run it was, when, and what it cost in all. */
export function RunFacts({ id, session }: { readonly id: string; readonly session: SessionSummary | undefined }) {
  if (session === undefined) return <p class="hero-facts">Run {<Foreign text={id} />}</p>;
  const { agent, agentName, project, model, startedAt, endedAt, isFileTime } = session;
  const spanMs = Date.parse(endedAt ?? "") - Date.parse(startedAt ?? "");
  const duration = isFileTime || !(spanMs >= 0) ? undefined : spanInWords(spanMs);
  return (
    <p class="hero-facts">
      {/* Reports of earlier versions know no names. */}
      <Foreign text={agentName ?? agent} />
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
      {closelyKnown(session) ?? count(session.calls, "call")} in all
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

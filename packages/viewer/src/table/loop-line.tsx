import { lateFigures } from "../../../doomloop/src/scan/report/answer.ts";
import { actionWords, count, kindWords } from "../../../doomloop/src/scan/report/words.ts";
import { formatTime } from "../format/format-time.ts";
import { ActionMark } from "../page/action-mark.tsx";
import { Foreign } from "../page/foreign.tsx";
import { firstWord } from "../report/first-word.ts";
import type { LoopRow } from "../report/report-index.ts";
import { runLink } from "../route/run-link.ts";

/** A loop in one line of the table. On a narrow screen the first column says what the hidden ones say. */
export function LoopLine({
  row: { loop, agent, project, time, isFileTime, action, isPastStop },
}: {
  readonly row: LoopRow;
}) {
  const when = time === null ? "unknown" : (formatTime(new Date(time).toISOString()) ?? "unknown");
  const [late, calls] = lateFigures(loop.afterOnset);
  return (
    <tr>
      <td class="column-what">
        <a href={runLink(loop.session, firstWord(loop))}>
          <Foreign text={loop.what} />
        </a>
        <span class="note">
          <Foreign text={kindWords(loop.kind, loop.areEqual).name} />
          <span class="narrow">
            {" "}
            · {count(loop.count)} times · <Foreign text={agent} />
            {action !== null && ` · ${actionWords(action).done}`}
            {isPastStop && " · after the stop"}
          </span>
          <span class="phone">
            {late} after{calls !== undefined && `, ${calls}`}
          </span>
        </span>
      </td>
      <td class="column-agent">
        <Foreign text={agent} />
        <span class="note">{project === null ? "no project recorded" : <Foreign text={project} />}</span>
      </td>
      <td class="column-when">
        {when}
        {isFileTime && <span class="note">the file's time</span>}
      </td>
      <td class="column-times">{count(loop.count)}</td>
      <td class="column-guard">
        {action === null ? (
          isPastStop ? (
            "after the stop"
          ) : (
            "silent"
          )
        ) : (
          <>
            <ActionMark action={action} /> {actionWords(action).done}
          </>
        )}
      </td>
      <td class="column-spent">
        {late}
        {calls !== undefined && <span class="note">{calls}</span>}
      </td>
    </tr>
  );
}

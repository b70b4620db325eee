import { isNothing, lateFigures } from "../../../doomloop/src/scan/report/answer.ts";
import { ABOUT_POSSIBLE, count, loopInWords } from "../../../doomloop/src/scan/report/words.ts";
import { formatTime } from "../format/format-time.ts";
import { Foreign } from "../page/foreign.tsx";
import { firstWord } from "../report/first-word.ts";
import type { LoopRow } from "../report/report-index.ts";
import { runLink } from "../route/run-link.ts";

const MOST = 20;

/** What the guard would have taken for loops, and what the rest of the session leaves doubts about. */
export function PossibleLoops({ rows }: { readonly rows: readonly LoopRow[] }) {
  if (rows.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="possible">
      <div class="panel-head note-below">
        <h2 id="possible">Possible loops</h2>
        <p class="note">
          {ABOUT_POSSIBLE}
          {rows.length > MOST && ` Here are ${MOST} of ${count(rows.length)}.`}
        </p>
      </div>
      <ul class="possible">
        {rows.slice(0, MOST).map(({ loop, agent, project, time }) => (
          <li key={loop.id}>
            <a href={runLink(loop.session, firstWord(loop))}>
              <Foreign text={loopInWords(loop)} />
            </a>{" "}
            <span class="note">
              <Foreign text={project === null ? agent : `${agent} in ${project}`} />
              {time !== null && `, ${formatTime(new Date(time).toISOString()) ?? "unknown time"}`}
              {!isNothing(loop.afterOnset) && `, spent after: ${lateFigures(loop.afterOnset).join(", ")}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

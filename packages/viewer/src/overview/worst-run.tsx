import { useMemo } from "preact/hooks";
import { spentAfterInWords } from "../../../doomloop/src/scan/report/answer.ts";
import { agentInWords } from "../../../doomloop/src/scan/report/headline.ts";
import type { LoopSummary, RunSteps } from "../../../doomloop/src/scan/report/report.ts";
import {
  ACTION_ORDER,
  actionWords,
  capitalized,
  placeInWords,
  timesInWords,
} from "../../../doomloop/src/scan/report/words.ts";
import { ActionMark } from "../page/action-mark.tsx";
import { Foreign } from "../page/foreign.tsx";
import type { LoopRow, ReportIndex } from "../report/report-index.ts";
import { runLink } from "../route/run-link.ts";
import { RibbonKey } from "../run/legend.tsx";
import { Ribbon } from "../run/ribbon.tsx";
import { ribbonKey } from "../run/ribbon-key.ts";
import { ribbonSvg } from "../run/ribbon-svg.ts";
import { runPicture } from "../run/run-picture.ts";
import { SavePicture } from "../run/save-picture.tsx";

interface WorstRunProps {
  readonly index: ReportIndex;
  /** The loop that cost most. */
  readonly row: LoopRow;
}

/** What a loop is, before any figure: the worst one in a sentence, and the picture of its run, which leads there. */
export function WorstRun({ index, row: { loop, agent } }: WorstRunProps) {
  const loops = index.loops(loop.session);
  const session = index.session(loop.session);
  const run = useMemo(() => index.run(loop.session) ?? unlisted(index, loop), [index, loop]);
  const picture = useMemo(() => runPicture(run, loops), [run, loops]);
  const { grouping, strip } = picture;
  const key = useMemo(() => ribbonKey(picture, loops), [picture, loops]);
  const actions = ACTION_ORDER.filter((action) =>
    loops.some(({ decisions }) => decisions.some((each) => each.action === action)),
  );

  return (
    <section class="panel worst" aria-label="The worst run">
      <p class="worst-words">
        <Foreign text={capitalized(`${timesInWords(loop)}, ${placeInWords(loop)}`)} />.{" "}
        <Foreign text={agentInWords(agent)} /> {spentAfterInWords(loop)}.
      </p>
      <a class="worst-picture" href={runLink(loop.session)}>
        <Ribbon strip={strip} loops={loops} total={run.total} named={loops.indexOf(loop)} />
        <span class="worst-key" aria-hidden="true">
          <RibbonKey entries={key} grouping={grouping} />
          {actions.map((action) => (
            <span key={action} class="worst-sign">
              <ActionMark action={action} /> {actionWords(action).done}
            </span>
          ))}
        </span>
        <span class="worst-open">
          Look at this run<span aria-hidden="true"> →</span>
        </span>
      </a>
      <SavePicture id={loop.session} draw={() => ribbonSvg(picture, loops, { agent, total: run.total, session })} />
    </section>
  );
}

/** A run whose steps the report does not hold: its loops are known all the same. */
function unlisted(index: ReportIndex, { session, end }: LoopSummary): RunSteps {
  return { from: 1, total: index.session(session)?.calls ?? end, steps: [] };
}

import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import { adviceFor } from "../../../doomloop/src/scan/advice/advice.ts";
import { stoppedAt } from "../../../doomloop/src/scan/report/decisions.ts";
import type { LoopSummary, ReportStep, RunSteps, SessionSummary } from "../../../doomloop/src/scan/report/report.ts";
import { callsInWords, count } from "../../../doomloop/src/scan/report/words.ts";
import { AdviceList } from "../overview/advice.tsx";
import { ActionMark } from "../page/action-mark.tsx";
import { Foreign } from "../page/foreign.tsx";
import { Notice } from "../page/notice.tsx";
import { Segments } from "../page/segments.tsx";
import { firstWord } from "../report/first-word.ts";
import type { ReportIndex } from "../report/report-index.ts";
import { runLink } from "../route/run-link.ts";
import { useAddress } from "../route/use-address.ts";
import type { Visit } from "../route/use-route.ts";
import { runInWords } from "./calls-in-loops.ts";
import { Legend, RibbonKey } from "./legend.tsx";
import { LoopList } from "./loop-list.tsx";
import { Ribbon } from "./ribbon.tsx";
import { ribbonKey } from "./ribbon-key.ts";
import { ribbonSvg } from "./ribbon-svg.ts";
import { RunFacts } from "./run-facts.tsx";
import { runPicture } from "./run-picture.ts";
import { SavePicture } from "./save-picture.tsx";
import { StepDetail } from "./step-detail.tsx";
import { chooseGrouping, type Grouping } from "./step-groups.ts";
import { StepStrip } from "./step-strip.tsx";

interface RunPageProps {
  readonly index: ReportIndex;
  readonly id: string;
  /** Names the call to look at, each time somebody goes there. */
  readonly visit: Visit;
  readonly includesContent: boolean;
  /** Where the table is, as it was left. */
  readonly overview: string;
}

/** One run: its loops, and the picture of them. */
export function RunPage({ index, id, visit, includesContent, overview }: RunPageProps) {
  const session = index.session(id);
  const run = index.run(id);
  const loops = index.loops(id);
  if (session === undefined && run === undefined && loops.length === 0) {
    return (
      <Notice title="No such run in this report">
        <p>
          <a href={overview}>All loops</a>
        </p>
      </Notice>
    );
  }
  const total = run?.total ?? session?.calls ?? 0;
  const stop = stoppedAt(loops);
  // Reports of earlier versions know no names.
  const agent = session?.agentName ?? session?.agent ?? "The agent";
  return (
    <>
      <p class="back">
        <a href={overview}>
          <span aria-hidden="true">← </span>All loops
        </a>
      </p>
      <div class="hero">
        <h1 tabIndex={-1}>
          <Foreign text={runInWords(agent, loops, total)} />
        </h1>
        <RunFacts id={id} session={session} />
        {stop !== undefined && (
          <p class="hero-stop">
            <ActionMark action="stop" /> The guard would have stopped it at{" "}
            <a href={runLink(id, stop)}>{callsInWords(stop, stop)}</a>
            {stop < total && `. It went on for ${count(total - stop, "call")}, as recorded`}.
          </p>
        )}
      </div>
      {run !== undefined && run.steps.length > 0 ? (
        <RunPicture
          id={id}
          agent={agent}
          session={session}
          run={run}
          loops={loops}
          visit={visit}
          includesContent={includesContent}
        />
      ) : (
        <>
          <LoopList id={id} loops={loops} />
          <AdviceList advice={adviceFor(sureOnes(loops))} />
          <p class="panel none">This report does not contain the steps of this run.</p>
        </>
      )}
    </>
  );
}

interface RunPictureProps extends Omit<RunPageProps, "index" | "overview"> {
  readonly agent: string;
  readonly session: SessionSummary | undefined;
  readonly run: RunSteps;
  readonly loops: readonly LoopSummary[];
}

function RunPicture({ id, agent, session, run, loops, visit, includesContent }: RunPictureProps) {
  const { steps } = run;
  const [grouping, setGrouping] = useState<Grouping>(() => chooseGrouping(steps, loops));
  const picture = useMemo(() => runPicture(run, loops, grouping), [run, loops, grouping]);
  const { groups, strip } = picture;
  const wanted = positionOf(steps, (visit.route.page === "run" ? visit.route.call : null) ?? firstWord(loops[0]));
  const [selected, select] = useState(wanted);
  // By visit: a link leads to its call even if the reader has moved on since.
  useLayoutEffect(() => select(wanted), [visit]);
  useAddress(runLink(id, steps[selected]?.call), "in a pause");

  return (
    <>
      <Ribbon
        strip={strip}
        loops={loops}
        total={run.total}
        selected={steps[selected]?.call ?? 1}
        onSelect={(call) => select(positionOf(steps, call))}
      />
      <p class="ribbon-key" aria-hidden="true">
        <RibbonKey entries={useMemo(() => ribbonKey(picture, loops), [picture, loops])} grouping={grouping} />
      </p>
      <SavePicture id={id} draw={() => ribbonSvg(picture, loops, { agent, total: run.total, session })} />
      <LoopList id={id} loops={loops} />
      <AdviceList advice={useMemo(() => adviceFor(sureOnes(loops)), [loops])} />
      <section class="panel" aria-labelledby="picture">
        <div class="panel-head">
          <h2 id="picture">The run, step by step</h2>
          <Segments
            label="Equal by"
            name="grouping"
            options={[
              ["call", "Call"],
              ["outcome", "Outcome"],
              ["tool", "Tool"],
            ]}
            value={grouping}
            onChange={setGrouping}
          />
        </div>
        <div class="picture">
          <StepStrip strip={strip} selected={selected} onSelect={select} />
          <StepDetail
            steps={steps}
            total={run.total}
            cells={strip.cells}
            loops={loops}
            selected={selected}
            onSelect={select}
            includesContent={includesContent}
          />
          <Legend groups={groups} grouping={grouping} />
        </div>
      </section>
    </>
  );
}

function sureOnes(loops: readonly LoopSummary[]): readonly LoopSummary[] {
  return loops.filter(({ isPossible }) => isPossible !== true);
}

/** The step of a call, or where that was cut the next one that is listed. */
function positionOf(steps: readonly ReportStep[], call: number): number {
  const found = steps.findIndex((step) => step.call >= call);
  return found === -1 ? steps.length - 1 : found;
}

import { useState } from "preact/hooks";
import { causeInWords } from "../../../doomloop/src/scan/advice/advice.ts";
import { isNothing, lateFigures } from "../../../doomloop/src/scan/report/answer.ts";
import { foldDecisions, foldedInWords, stoppedAt } from "../../../doomloop/src/scan/report/decisions.ts";
import type { LoopSummary } from "../../../doomloop/src/scan/report/report.ts";
import {
  actionWords,
  capitalized,
  count,
  evidenceInWords,
  kindWords,
  placeInWords,
  timesInWords,
} from "../../../doomloop/src/scan/report/words.ts";
import { ActionMark } from "../page/action-mark.tsx";
import { Foreign } from "../page/foreign.tsx";
import { runLink } from "../route/run-link.ts";

const FIRST_LOOPS = 4;
const MAX_LOOPS = 100;
const MAX_DECISIONS = 20;

/** The loops of a run, numbered as their brackets are. */
export function LoopList({ id, loops }: { readonly id: string; readonly loops: readonly LoopSummary[] }) {
  const [isOpen, setOpen] = useState(false);
  const all = Math.min(loops.length, MAX_LOOPS);
  const stop = stoppedAt(loops);
  return (
    <>
      <ol class="loop-list">
        {loops.slice(0, isOpen ? MAX_LOOPS : FIRST_LOOPS).map((loop, index) => (
          <li key={loop.id} class="panel loop-card">
            <LoopCard id={id} loop={loop} number={index + 1} stop={stop} />
          </li>
        ))}
      </ol>
      {all > FIRST_LOOPS && (
        <p class="more">
          <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? `The first ${FIRST_LOOPS} loops only` : `All ${all} loops of this run`}
          </button>
          {loops.length > all && <span class="note"> of {count(loops.length)}: the others are in the table</span>}
        </p>
      )}
    </>
  );
}

interface LoopCardProps {
  readonly id: string;
  readonly loop: LoopSummary;
  readonly number: number;
  /** The call at which the guard would have ended the run. */
  readonly stop: number | undefined;
}

function LoopCard({ id, loop, number, stop }: LoopCardProps) {
  const { name, meaning } = kindWords(loop.kind, loop.areEqual);
  // After a stop nothing more would have been done, however much was noted.
  const decided = stop === undefined ? (loop.decided ?? loop.decisions.length) : loop.decisions.length;
  const folded = foldDecisions(loop.decisions).slice(0, MAX_DECISIONS);
  const more = decided - folded.reduce((sum, { times }) => sum + times, 0);
  return (
    <>
      <h2>
        <span class="badge" title={`Loop ${number}`}>
          <span class="unseen">Loop </span>
          {number}
        </span>{" "}
        {loop.isPossible === true && "Possible loop: "}
        <Foreign text={loop.what} />, <Foreign text={timesInWords(loop)} />
      </h2>
      <p>
        <b>
          <Foreign text={name} />.
        </b>{" "}
        {meaning} {loop.kind === "call-cycle" && loop.period !== null && `Each lap has ${count(loop.period, "call")}. `}
        <a href={runLink(id, loop.onset)}>{capitalized(placeInWords(loop))}</a>. {capitalized(evidenceInWords(loop))}.{" "}
        {capitalized(causeInWords(loop.cause))}.
      </p>
      <ul class="decisions">
        {folded.map((each) => (
          <li key={`${each.first} ${each.action}`}>
            <ActionMark action={each.action} />{" "}
            <a href={runLink(id, each.first)} title={`The guard would have ${actionWords(each.action).meaning}`}>
              {foldedInWords(each, loop)}
            </a>
          </li>
        ))}
        {more > 0 && <li class="note">and {more === 1 ? "once more" : `${count(more)} more times`}</li>}
        {loop.decisions.length === 0 && stop !== undefined && stop < loop.onset && (
          <li>The guard would have stopped the run before, at call {count(stop)}.</li>
        )}
      </ul>
      <p class="note">
        {isNothing(loop.afterOnset)
          ? "After doomloop would have stepped in: nothing that is not already counted in another loop."
          : `After doomloop would have stepped in: ${lateFigures(loop.afterOnset).toReversed().join(", ")}.`}
      </p>
    </>
  );
}

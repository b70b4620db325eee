import { useState } from "preact/hooks";
import type { LoopSummary } from "../../../doomloop/src/cli/scan/report.ts";
import { count } from "../format/count.ts";
import { formatSpent } from "../format/format-spent.ts";
import { ActionMark } from "../page/action-mark.tsx";
import { Foreign } from "../page/foreign.tsx";
import { runLink } from "../route/run-link.ts";
import { actionWords } from "../words/action-words.ts";
import { kindWords } from "../words/kind-words.ts";

const FIRST_LOOPS = 4;
const MAX_LOOPS = 100;
const MAX_DECISIONS = 20;

/** The loops of a run, numbered as their brackets are. */
export function LoopList({ id, loops }: { readonly id: string; readonly loops: readonly LoopSummary[] }) {
  const [isOpen, setOpen] = useState(false);
  const all = Math.min(loops.length, MAX_LOOPS);
  return (
    <>
      <ol class="loop-list">
        {loops.slice(0, isOpen ? MAX_LOOPS : FIRST_LOOPS).map((loop, index) => (
          <li key={loop.id} class="panel loop-card">
            <LoopCard id={id} loop={loop} number={index + 1} />
          </li>
        ))}
      </ol>
      {all > FIRST_LOOPS && (
        <p class="more">
          <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? `The first ${FIRST_LOOPS} loops only` : `All ${all} loops of this run`}
          </button>
        </p>
      )}
    </>
  );
}

function LoopCard({ id, loop, number }: { readonly id: string; readonly loop: LoopSummary; readonly number: number }) {
  const { name, meaning } = kindWords(loop.kind);
  return (
    <>
      <h2>
        <span class="badge" title={`Loop ${number}`}>
          <span class="unseen">Loop </span>
          {number}
        </span>{" "}
        <Foreign text={loop.what} />, {count(loop.count, "time")}
      </h2>
      <p>
        <b>
          <Foreign text={name} />.
        </b>{" "}
        {meaning} {loop.period !== null && loop.period > 1 && `A turn has ${count(loop.period, "call")}. `}
        <a href={runLink(id, loop.onset)}>
          Calls {count(loop.onset + 1)} to {count(loop.end + 1)}
        </a>
        , {Math.round(loop.confidence * 100)}% sure.
      </p>
      <ul class="decisions">
        {loop.decisions.slice(0, MAX_DECISIONS).map(({ call, action }) => (
          <li key={`${call} ${action}`}>
            <ActionMark action={action} />{" "}
            <a href={runLink(id, call)} title={`The guard would have ${actionWords(action).meaning}`}>
              would have {actionWords(action).done} at call {count(call + 1)}
            </a>
          </li>
        ))}
      </ul>
      <p class="note">
        After the guard’s first word: {count(loop.afterOnset.calls, "call")}, {formatSpent(loop.afterOnset)}.
      </p>
    </>
  );
}

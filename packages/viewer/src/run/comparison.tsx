import type { LoopSummary, ReportStep } from "../../../doomloop/src/scan/report/report.ts";
import { count } from "../../../doomloop/src/scan/report/words.ts";
import { isInLoop } from "./calls-in-loops.ts";
import { Content } from "./content.tsx";
import type { PreviousStep } from "./find-previous.ts";

interface ComparisonProps {
  readonly step: ReportStep;
  readonly previous: PreviousStep | undefined;
  /** The guard had no reason to pass the step over. */
  readonly isCounted: boolean;
  readonly loops: readonly LoopSummary[];
  readonly includesContent: boolean;
  /** Goes to the previous occurrence. */
  readonly onSelect: () => void;
}

/** What is different from the last time: in words, and with content line by line. */
export function Comparison({ step, previous, isCounted, loops, includesContent, onSelect }: ComparisonProps) {
  const isLoop =
    previous !== undefined && loops.some((loop) => isInLoop(step.call, loop) && isInLoop(previous.step.call, loop));
  return (
    <div class="comparison">
      <h4>Compared with last time</h4>
      {previous === undefined ? (
        <p>This is the first time.</p>
      ) : (
        <p>
          {wordsOf(step, previous, isCounted, isLoop)}{" "}
          <button type="button" class="link" onClick={onSelect}>
            Show call {count(previous.step.call)}
          </button>
        </p>
      )}
      {includesContent ? (
        <>
          {step.arguments === undefined && (
            <p class="note">The report has no content for this step: the run is too long.</p>
          )}
          <Content title="Call" text={step.arguments} before={previous?.step.arguments} hasFields />
          <Content title="Outcome" text={step.output} before={previous?.step.output} />
        </>
      ) : (
        <p class="note">
          This report is redacted: it shows which calls and outcomes are equal, not what they contain.{" "}
          <code>--include-content</code> writes one that shows what differs.
        </p>
      )}
    </div>
  );
}

function wordsOf(
  step: ReportStep,
  { step: before, basis, hasSameOutcome }: PreviousStep,
  isCounted: boolean,
  isLoop: boolean,
): string {
  const distance = step.call - before.call;
  const [isNext, earlier] = [distance === 1, `${count(distance, "call")} earlier`];
  const call =
    basis === "call"
      ? isNext
        ? "The call just before was the same."
        : `The same call was made ${earlier}.`
      : `${isNext ? "The call just before was of the same tool" : `The same tool was called ${earlier}`}, with slightly different arguments.`;
  if (hasSameOutcome === null) return `${call} The outcomes cannot be compared.`;
  if (hasSameOutcome) return `${call} The outcome is the same${isCounted ? ": nothing new was learned" : ""}.`;
  // The guard looks past times, ids and counters; hashes do not.
  return isLoop
    ? `${call} The outcome is not exactly the same, but the guard saw nothing new in it.`
    : `${call} The outcome is different.`;
}

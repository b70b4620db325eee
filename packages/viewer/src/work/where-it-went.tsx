import { useState } from "preact/hooks";
import { count } from "../../../doomloop/src/scan/report/words.ts";
import type { Work, WorkShare, WorkTime } from "../../../doomloop/src/scan/report/work.ts";
import {
  ABOUT_RESULT_TOKENS,
  ABOUT_TOOL_TIME,
  failedInWords,
  resultTokens,
  timeInWords,
  tokensInParts,
  toolInWords,
  whereInWords,
  workKindInWords,
  workTimeInWords,
} from "../../../doomloop/src/scan/report/work-words.ts";
import { Foreign } from "../page/foreign.tsx";
import { Segments } from "../page/segments.tsx";
import { percent, ShareBar } from "./share-bar.tsx";

type WorkMeasure = "time" | "tokens" | "calls";

const FIRST = 6;

/** Where time and the text of results went: by kind of work and by tool, in a measure of choice. */
export function WhereItWent({ work }: { readonly work: Work }) {
  const hasTime = work.time !== null;
  const [chosen, choose] = useState<WorkMeasure>(hasTime ? "time" : "tokens");
  const measure = chosen === "time" && !hasTime ? "tokens" : chosen;
  const options: readonly (readonly [WorkMeasure, string])[] = [
    ...(hasTime ? [["time", "Time"] as const] : []),
    ["tokens", "Tokens of results"],
    ["calls", "Calls"],
  ];
  const [spent, tokens] = [timeInWords(work), tokensInParts(work)];
  return (
    <section class="panel" aria-labelledby="where-it-went">
      <div class="panel-head">
        <h2 id="where-it-went">{whereInWords(work)}</h2>
        <Segments label="By" name="work-measure" options={options} value={measure} onChange={choose} />
      </div>
      {work.time !== null && spent !== undefined && <TimeSplit time={work.time} words={spent} />}
      {tokens !== undefined && <p class="work-words">{tokens}</p>}
      <div class="work-sides">
        <ShareList title="Kinds of work" shares={work.kinds} nameOf={workKindInWords} measure={measure} />
        <ShareList title="Tools" shares={work.tools} nameOf={toolInWords} measure={measure} />
      </div>
      <p class="note">
        {hasTime && `${ABOUT_TOOL_TIME} `}
        {ABOUT_RESULT_TOKENS}
      </p>
    </section>
  );
}

/** The time of agents as one bar: tools, then models. */
function TimeSplit({ time: { toolsMs, modelMs }, words }: { readonly time: WorkTime; readonly words: string }) {
  const whole = toolsMs + modelMs;
  return (
    <div class="time-split">
      <p class="work-words">{words}</p>
      <svg width="100%" height="14" aria-hidden="true">
        <rect class="split-model" width="100%" height="14" rx="4" />
        <rect class="split-tools" width={percent(toolsMs / whole)} height="14" rx="4" />
      </svg>
      <p class="time-key note" aria-hidden="true">
        <span class="key-sign split-tools-key" /> tools <span class="key-sign split-model-key" /> models
      </p>
    </div>
  );
}

interface ShareListProps {
  readonly title: string;
  readonly shares: readonly WorkShare[];
  readonly nameOf: (name: string | null) => string;
  readonly measure: WorkMeasure;
}

function ShareList({ title, shares, nameOf, measure }: ShareListProps) {
  const [isOpen, setOpen] = useState(false);
  const sorted = [
    ...shares
      .filter(({ name }) => name !== null)
      .toSorted((one, other) => sizeOf(other, measure) - sizeOf(one, measure)),
    ...shares.filter(({ name }) => name === null),
  ];
  const most = Math.max(0, ...sorted.map((share) => sizeOf(share, measure)));
  if (sorted.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <ul class="work-list">
        {sorted.slice(0, isOpen ? sorted.length : FIRST).map((share) => (
          <li key={share.name ?? ""}>
            <span class="work-name">
              <Foreign text={nameOf(share.name)} />
            </span>
            <span class="work-value">{figureOf(share, measure)}</span>
            <ShareBar share={sizeOf(share, measure) / most} />
            <span class="note">{noteOf(share, measure)}</span>
          </li>
        ))}
      </ul>
      {sorted.length > FIRST && (
        <button type="button" class="quiet small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? `First ${FIRST} only` : `All ${sorted.length}`}
          <span class="unseen"> of {title}</span>
        </button>
      )}
    </div>
  );
}

function sizeOf({ timeMs, characters, calls }: WorkShare, measure: WorkMeasure): number {
  return { time: timeMs, tokens: characters, calls }[measure];
}

function figureOf({ timeMs, characters, calls }: WorkShare, measure: WorkMeasure): string {
  if (measure === "calls") return count(calls);
  return measure === "time" ? workTimeInWords(timeMs) : resultTokens(characters);
}

function noteOf(share: WorkShare, measure: WorkMeasure): string {
  const failed = failedInWords(share);
  const parts = [
    ...(measure === "calls" ? [] : [count(share.calls, "call")]),
    ...(failed === "" ? [] : [`${failed} failed`]),
  ];
  return parts.join(", ");
}

import { ACTION_ORDER, actionWords, count } from "../../../doomloop/src/scan/report/words.ts";
import { ActionMark } from "../page/action-mark.tsx";
import { Foreign } from "../page/foreign.tsx";
import { stepColour } from "./step-colour.ts";
import type { Grouping, StepGroup } from "./step-groups.ts";

interface LegendProps {
  readonly groups: ReadonlyMap<string, StepGroup>;
  readonly grouping: Grouping;
}

const MAX_LISTED = 12;

/** What the letters and the signs of the strip mean. */
export function Legend({ groups, grouping }: LegendProps) {
  const listed = [...groups.values()].slice(0, MAX_LISTED);
  return (
    <div class="legend">
      <h3>What repeats</h3>
      {listed.length === 0 && <p class="note">No two steps are equal.</p>}
      <ul class="legend-groups">
        {listed.map(({ key, letter, index, count: times, example }) => (
          <li key={key}>
            <span class={`swatch ${stepColour(index)}`}>{letter}</span>{" "}
            <span class="legend-name">
              {grouping === "outcome" && "the outcome of "}
              <Foreign text={grouping === "tool" ? example.tool : example.label} />
            </span>{" "}
            <span class="note">{count(times)} times</span>
          </li>
        ))}
      </ul>
      {groups.size > listed.length && <p class="note">and {count(groups.size - listed.length)} more</p>}
      <h3>Signs</h3>
      <ul class="legend-signs">
        <li>
          <span class="swatch colour-single">·</span> no equal step
        </li>
        <li>
          <span class="swatch colour-single">=</span> same outcome as the last time
        </li>
        <li>
          <span class="swatch colour-single sign-failing">!</span> failed
        </li>
        <li>
          <span class="swatch colour-single">○</span> not counted as a repeat: the step says why
        </li>
        {ACTION_ORDER.map((action) => (
          <li key={action}>
            <ActionMark action={action} /> the guard would have {actionWords(action).done}
          </li>
        ))}
      </ul>
    </div>
  );
}

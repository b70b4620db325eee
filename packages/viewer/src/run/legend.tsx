import { ACTION_ORDER, actionWords, count } from "../../../doomloop/src/scan/report/words.ts";
import { ActionMark } from "../page/action-mark.tsx";
import { Foreign } from "../page/foreign.tsx";
import type { KeyEntry } from "./ribbon-key.ts";
import { swatchColour } from "./step-colour.ts";
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
        {listed.map((group) => (
          <li key={group.key}>
            <span class={`swatch ${swatchColour(group)}`}>{group.letter}</span>{" "}
            <span class="legend-name">
              <GroupName group={group} grouping={grouping} />
            </span>{" "}
            <span class="note">
              {count(group.count)} times{group.inLoops === 0 && ", not in a loop"}
            </span>
          </li>
        ))}
      </ul>
      {groups.size > listed.length && <p class="note">and {count(groups.size - listed.length)} more</p>}
      <h3>Signs</h3>
      <ul class="legend-signs">
        <li>
          <span class="swatch colour-neutral" /> not in a loop
        </li>
        <li>
          <span class="swatch colour-neutral">7</span> the number of the call; no letter: no other call is equal
        </li>
        <li>
          <span class="swatch colour-neutral">=</span> same outcome as last time
        </li>
        <li>
          <span class="swatch colour-neutral sign-failing">!</span> failed
        </li>
        <li>
          <span class="swatch colour-neutral">○</span> adds nothing to the evidence: the step says why
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

/** The colours of a ribbon, and what they mean. */
export function RibbonKey({
  entries,
  grouping,
}: {
  readonly entries: readonly KeyEntry[];
  readonly grouping: Grouping;
}) {
  return (
    <>
      {entries.map(({ colour, group, words }) => (
        <span key={`${colour} ${words ?? group?.key}`} class="worst-sign">
          <span class={`swatch ${colour}`} />
          <span class="worst-name">
            {group === undefined ? words : <GroupName group={group} grouping={grouping} />}
          </span>
        </span>
      ))}
    </>
  );
}

/** What the steps of a group have in common. */
function GroupName({ group: { example }, grouping }: { readonly group: StepGroup; readonly grouping: Grouping }) {
  return (
    <>
      {grouping === "outcome" && "the outcome of "}
      <Foreign text={grouping === "tool" ? example.tool : example.label} />
    </>
  );
}

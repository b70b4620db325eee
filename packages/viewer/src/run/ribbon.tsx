import type { LoopSummary } from "../../../doomloop/src/cli/scan/report.ts";
import { ActionMark } from "../page/action-mark.tsx";
import type { Strip } from "./layout-strip.ts";
import { ribbonSlices } from "./ribbon-slices.ts";
import { stepColour } from "./step-colour.ts";

interface RibbonProps {
  readonly strip: Strip;
  readonly loops: readonly LoopSummary[];
  readonly total: number;
  /** The call that is looked at. */
  readonly selected: number;
}

const MAX_SLICES = 4000;
/** Beyond, lines between calls would hide the calls. */
const MAX_TICKS = 150;

/** The whole run at a glance. A picture only: the strip below says the same step by step. */
export function Ribbon({ strip, loops, total, selected }: RibbonProps) {
  const percent = (calls: number) => `${(Math.min(total, calls) / Math.max(1, total)) * 100}%`;
  const slices = ribbonSlices(strip.cells).slice(0, MAX_SLICES);
  const stops = loops.flatMap(({ decisions }) => decisions);
  return (
    <div class="ribbon" aria-hidden="true">
      <div class="ribbon-loops">
        {loops.map(({ id, onset, end }, index) => (
          <span key={id} class="ribbon-loop" style={{ left: percent(onset), width: percent(end - onset + 1) }}>
            <span class="badge">{index + 1}</span>
          </span>
        ))}
      </div>
      <div class="ribbon-band">
        {slices.map(({ start, length, group }) => (
          <span
            key={start}
            class={`ribbon-slice ${stepColour(group)}`}
            style={{ left: percent(start), width: percent(length) }}
          />
        ))}
        {total <= MAX_TICKS && <span class="ribbon-ticks" style={{ backgroundSize: `${percent(1)} 100%` }} />}
        <span class="ribbon-here" style={{ left: percent(selected), width: percent(1) }} />
      </div>
      <div class="ribbon-marks">
        {stops.map(({ call, action }, index) => (
          <span key={index} class="ribbon-mark" style={{ left: percent(call + 0.5) }}>
            <ActionMark action={action} />
          </span>
        ))}
      </div>
    </div>
  );
}

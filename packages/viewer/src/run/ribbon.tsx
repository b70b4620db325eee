import { useMemo } from "preact/hooks";
import { type LoopSummary, stoppedAt } from "../../../doomloop/src/scan/report/report.ts";
import { callsInWords } from "../../../doomloop/src/scan/report/words.ts";
import { ActionMark } from "../page/action-mark.tsx";
import { callsOf } from "./calls-in-loops.ts";
import type { Strip } from "./layout-strip.ts";
import { ribbonMarks } from "./ribbon-marks.ts";
import { ribbonSlices } from "./ribbon-slices.ts";

interface RibbonProps {
  readonly strip: Strip;
  readonly loops: readonly LoopSummary[];
  readonly total: number;
  /** The loop that is spoken of, from 0. Without it, all are equally bright. */
  readonly named?: number | undefined;
  /** The call that is looked at. */
  readonly selected?: number;
  /** A finger or a mouse chose a call. Keys go through the strip, which says the same step by step. */
  readonly onSelect?: (call: number) => void;
}

const MAX_SLICES = 4000;
const MAX_BADGES = 20;
/** Of one loop. Beyond, its calls lie so close that a line shows no more. */
const MAX_ROWS = 200;
const LATE = 0.6;
/** Beyond, lines between calls would hide the calls. */
const MAX_TICKS = 150;

/** The whole run at a glance. What comes after the guard's stop is veiled: it would not have happened. */
export function Ribbon({ strip, loops, total, named, selected, onSelect }: RibbonProps) {
  const percent = (calls: number) => `${(Math.min(total, calls) / Math.max(1, total)) * 100}%`;
  // Nodes that are the same as before are not looked at again when another call is chosen.
  const slices = useMemo(
    () =>
      ribbonSlices(strip.cells, loops, named)
        .slice(0, MAX_SLICES)
        .map(({ start, length, colour, isQuiet }) => (
          <span
            key={start}
            class={`ribbon-slice ${colour}${isQuiet ? " is-quiet" : ""}`}
            style={{ left: percent(start), width: percent(length) }}
          />
        )),
    [strip, loops, total, named],
  );
  const stop = stoppedAt(loops);
  // Behind it there is no room for words.
  const isLate = stop !== undefined && stop > total * LATE;
  const choose = (event: MouseEvent & { readonly currentTarget: HTMLElement }) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    onSelect?.(Math.min(total, Math.max(1, Math.ceil(((event.clientX - left) / width) * total))));
  };
  return (
    <div class="ribbon" aria-hidden="true">
      <div class="ribbon-loops">
        {loops.map((loop, index) =>
          callsOf(loop)
            .slice(0, MAX_ROWS)
            .map(([first, last], row) => (
              <span
                key={`${loop.id} ${first}`}
                class="ribbon-loop"
                style={{ left: percent(first - 1), width: percent(last - first + 1) }}
              >
                {row === 0 && index < MAX_BADGES && <span class="badge">{index + 1}</span>}
              </span>
            )),
        )}
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for pointers; the strip below has the keys */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the same */}
      <div class="ribbon-band" onClick={choose}>
        {slices}
        {total <= MAX_TICKS && <span class="ribbon-ticks" style={{ backgroundSize: `${percent(1)} 100%` }} />}
        {stop !== undefined && stop < total && <span class="ribbon-after" style={{ left: percent(stop) }} />}
        {selected !== undefined && (
          <span class="ribbon-here" style={{ left: percent(selected - 1), width: percent(1) }} />
        )}
      </div>
      <div class={isLate ? "ribbon-marks is-late" : "ribbon-marks"}>
        {ribbonMarks(loops, total).map(({ call, action }) => (
          <span key={`${call} ${action}`} class="ribbon-mark" style={{ left: percent(call - 0.5) }}>
            <ActionMark action={action} />
          </span>
        ))}
        {stop !== undefined && (
          <span class="ribbon-stop" style={{ left: percent(stop - 0.5) }}>
            stopped at {callsInWords(stop, stop)}
          </span>
        )}
      </div>
    </div>
  );
}

import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { stoppedAt } from "../../../doomloop/src/scan/report/decisions.ts";
import type { LoopSummary } from "../../../doomloop/src/scan/report/report.ts";
import { callsInWords } from "../../../doomloop/src/scan/report/words.ts";
import { ActionMark } from "../page/action-mark.tsx";
import { callsOf } from "./calls-in-loops.ts";
import type { Strip } from "./layout-strip.ts";
import { ribbonBadges, ribbonMarks } from "./ribbon-marks.ts";
import { MAX_SLICES, ribbonSlices } from "./ribbon-slices.ts";

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

/** Of one loop. Beyond, its calls lie so close that a line shows no more. */
const MAX_ROWS = 200;
const PHONE_PX = 340;
/** A frame around a call that is narrower would hide its colour. */
const NARROW_PX = 8;
const LANE_PX = 18;
/** How much room the words beside a stop take. */
const STOP_WORDS_PX = 180;
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
  const frame = useRef<HTMLDivElement>(null);
  const widthPx = useWidth(frame, PHONE_PX);
  const badges = useMemo(() => ribbonBadges(loops, total, widthPx), [loops, total, widthPx]);
  const marks = useMemo(() => ribbonMarks(loops, total, widthPx), [loops, total, widthPx]);
  const lanes = Math.max(0, ...marks.map(({ lane }) => lane + 1));
  // Where there is no room behind the stop, its words have a line of their own.
  const isLate = stop !== undefined && (1 - stop / Math.max(1, total)) * widthPx < STOP_WORDS_PX;
  const stopLane = isLate ? lanes : (marks.findLast(({ action }) => action === "stop")?.lane ?? 0);
  const choose = (event: MouseEvent & { readonly currentTarget: HTMLElement }) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    onSelect?.(Math.min(total, Math.max(1, Math.ceil(((event.clientX - left) / width) * total))));
  };
  return (
    <div class="ribbon" aria-hidden="true" ref={frame}>
      <div class="ribbon-loops">
        {loops.map((loop) =>
          callsOf(loop)
            .slice(0, MAX_ROWS)
            .map(([first, last]) => (
              <span
                key={`${loop.id} ${first}`}
                class="ribbon-loop"
                style={{ left: percent(first - 1), width: percent(last - first + 1) }}
              />
            )),
        )}
        {badges.map(({ text, atPx }) => (
          <span key={text} class="badge" style={{ left: `${(atPx / widthPx) * 100}%` }}>
            {text}
          </span>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for pointers; the strip below has the keys */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the same */}
      <div class="ribbon-band" onClick={choose}>
        {slices}
        {total <= MAX_TICKS && <span class="ribbon-ticks" style={{ backgroundSize: `${percent(1)} 100%` }} />}
        {stop !== undefined && stop < total && <span class="ribbon-after" style={{ left: percent(stop) }} />}
        {selected !== undefined && (
          <span
            class={widthPx / total < NARROW_PX ? "ribbon-here is-narrow" : "ribbon-here"}
            style={{ left: percent(selected - 1), width: percent(1) }}
          />
        )}
      </div>
      <div
        class={isLate ? "ribbon-marks is-late" : "ribbon-marks"}
        style={{ height: `${(isLate ? lanes + 1 : Math.max(1, lanes)) * LANE_PX}px` }}
      >
        {marks.map(({ call, action, lane }) => (
          <span
            key={`${call} ${action}`}
            class="ribbon-mark"
            style={{ left: percent(call - 0.5), top: `${lane * LANE_PX + 2}px` }}
          >
            <ActionMark action={action} />
          </span>
        ))}
        {stop !== undefined && (
          <span class="ribbon-stop" style={{ left: percent(stop - 0.5), top: `${stopLane * LANE_PX}px` }}>
            stopped at {callsInWords(stop, stop)}
          </span>
        )}
      </div>
    </div>
  );
}

/** How wide an element is, now and whenever that changes. */
function useWidth(element: { readonly current: HTMLElement | null }, firstPx: number): number {
  const [widthPx, setWidth] = useState(firstPx);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const measure = () => setWidth(Math.round(current.clientWidth) || firstPx);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element, firstPx]);
  return widthPx;
}

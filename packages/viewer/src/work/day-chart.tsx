import { capitalized, count } from "../../../doomloop/src/scan/report/words.ts";
import type { ActiveDays } from "../../../doomloop/src/scan/report/work.ts";
import { clock, dayInWords } from "../../../doomloop/src/scan/report/work-words.ts";
import { formatTime } from "../format/format-time.ts";
import { printable } from "../format/printable.ts";

const HOURS = 24;
const STEP = 100 / HOURS;
const HEIGHT = 96;
const LABELLED = [0, 6, 12, 18];

/** What a day looks like: the calls of each hour, as bars. */
export function DayChart({ days }: { readonly days: ActiveDays | null }) {
  if (days === null) return null;
  const hours = days.hours.slice(0, HOURS);
  const most = Math.max(1, ...hours);
  // At noon it is the same day everywhere.
  const busiest = days.days === 1 ? undefined : formatTime(`${days.busiest.date}T12:00:00Z`, "day");
  const words = [
    `${capitalized(dayInWords(days))}.`,
    ...(busiest === undefined ? [] : [`Busiest day: ${busiest}, with ${count(days.busiest.calls, "call")}.`]),
  ].join(" ");
  return (
    <section class="panel" aria-labelledby="a-day">
      <h2 id="a-day">What a day looks like</h2>
      <p class="work-words">{printable(words)}</p>
      <svg class="day-chart" width="100%" height={HEIGHT + 20} role="img" aria-label="Calls by the hour of the day">
        {hours.map((calls, hour) => {
          const height = (calls / most) * HEIGHT;
          return (
            <rect
              key={clock(hour)}
              class="day-bar"
              x={`${hour * STEP + STEP * 0.12}%`}
              y={HEIGHT - height}
              width={`${STEP * 0.76}%`}
              height={height}
              rx="2"
            >
              <title>{`${clock(hour)} to ${clock(hour + 1)}: ${count(calls, "call")}`}</title>
            </rect>
          );
        })}
        <line class="day-line" x1="0" x2="100%" y1={HEIGHT + 0.5} y2={HEIGHT + 0.5} />
        {LABELLED.map((hour) => (
          <text key={hour} class="day-label" x={`${hour * STEP + STEP * 0.12}%`} y={HEIGHT + 16}>
            {clock(hour)}
          </text>
        ))}
      </svg>
      <p class="note">Calls by the hour, by the clock of the machine that scanned.</p>
    </section>
  );
}

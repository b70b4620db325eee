import { callsInWords } from "../../scan/report/calls-in-words.ts";
import { count } from "../../scan/report/count.ts";
import { decisionsUntilStop } from "../../scan/report/decisions-until-stop.ts";
import { kindWords } from "../../scan/report/kind-words.ts";
import type { Report } from "../../scan/report/report.ts";
import type { Stretch } from "../../scan/tune/stretches.ts";
import type { Tally, Trial } from "../../scan/tune/try-changes.ts";
import { printable } from "../../system/printable.ts";
import type { Style } from "../terminal/style.ts";
import { wrapList, wrapText } from "../terminal/wrap.ts";
import { timeline } from "./show-timeline.ts";

export interface TuneLook {
  readonly width: number;
  readonly style: Style;
}

/** Of a long stretch, the first and the last steps are shown, and those at which the guard first speaks. */
const HEAD = 12;
const TAIL = 5;
const NO_CHANGE =
  "No single change would have silenced an alarm that is marked wrong, without silencing more that are right.";

/** One stretch with its steps, redacted as the report is. */
export function stretchWords({ session, onset, end, loops }: Stretch, report: Report, look: TuneLook): string {
  const worst = loops[0]!;
  const { agentName, project, startedAt } = report.sessions.find(({ id }) => id === session)!;
  const facts = [agentName, project, startedAt?.slice(0, 10), callsInWords(onset, end), `id ${worst.id}`];
  const more = loops.length === 1 ? "" : `, and ${count(loops.length - 1, "finding more")}`;
  const isShown = (call: number): boolean =>
    call < onset + HEAD || call > end - TAIL || loops.some(({ decisions }) => decisions[0]?.call === call);
  const steps = (report.runs[session]?.steps ?? []).filter(({ call }) => isShown(call));
  return [
    look.style.strong(wrapText(`${printable(`${kindWords(worst.kind).name}: ${worst.what}`)}${more}`, look.width)),
    look.style.dim(wrapList(facts.filter((fact) => fact != null).map(printable), look.width)),
    `${timeline(decisionsUntilStop(loops), { ...look, steps, isWhole: false })}\n`,
  ].join("\n");
}

/** Changes with the JSON that makes them, and what each would have done; or one line that says that there is none. */
export function trialWords(trials: readonly Trial[], all: Tally, { width, style }: TuneLook): string {
  if (all.wrong === 0)
    return `Nothing to tune: of ${count(all.right + all.others, "alarm")} here, none is marked wrong.\n`;
  if (trials.length === 0) return `${wrapText(NO_CHANGE, width)}\n`;
  const parts = trials.map(({ change, silenced }, at) => {
    const effect = `would have silenced ${silenced.wrong} of ${count(all.wrong, "alarm")} marked wrong, kept ${all.right - silenced.right} of ${all.right} right ones, and silenced ${silenced.others || "none"} that nobody has judged`;
    return [
      style.strong(wrapText(`${at + 1}  ${change.words}`, width, "   ")),
      // Not wrapped: it is there to be copied.
      `   ${JSON.stringify(change.patch)}`,
      `   ${wrapText(effect, width - 3, "   ")}\n`,
    ].join("\n");
  });
  return `\n${parts.join("\n")}`;
}

import type { AgentEvent } from "../../core/event.ts";
import type { GuardOptions } from "../../core/options.ts";
import { createGuard } from "../../index.ts";
import { lengthOf } from "./costs/length-of.ts";
import type { RunJudge, RunMoment } from "./watch-run.ts";

/** Guards with other options, which judge a run only if there is something to judge. */
export interface AlternativeJudges {
  /** Takes what happened, and whether the guard that is in use found something. */
  observe(event: AgentEvent, moment: RunMoment, isFound: boolean): void;
  /** In the order of their options. */
  list(): readonly RunJudge[];
}

/** Characters of events that wait in the runs of one file. */
export interface WaitingRoom {
  left: number;
}

interface Waiting {
  readonly event: AgentEvent;
  readonly moment: RunMoment;
}

const MAX_WAITING_CHARACTERS = 24_000_000;
const EVENT_CHARACTERS = 200;

export function createWaitingRoom(): WaitingRoom {
  return { left: MAX_WAITING_CHARACTERS };
}

const SILENT: RunJudge = { book: { loops: [], note() {} }, observe: () => false, faults: () => 0 };

/**
 * Creates the judges of one run.
 *
 * Most runs hold no loop. So the events wait until the guard in use, or one that speaks as early as any, finds something; only
 * then are the others made, and told all that happened. Where there is no room to wait they begin at once.
 */
export function createAlternativeJudges(
  alternatives: readonly GuardOptions[],
  judgeBy: (options: GuardOptions) => RunJudge,
  room: WaitingRoom,
): AlternativeJudges {
  const screen = createGuard(earliest(alternatives[0] ?? {}));
  let waiting: Waiting[] = [];
  let characters = 0;
  let judges: readonly RunJudge[] | undefined;

  const begin = (): void => {
    judges = alternatives.map(judgeBy);
    for (const { event, moment } of waiting) for (const judge of judges) judge.observe(event, moment);
    leave();
  };

  const leave = (): void => {
    room.left += characters;
    characters = 0;
    waiting = [];
  };

  return {
    observe(event, moment, isFound) {
      if (judges !== undefined) {
        for (const judge of judges) judge.observe(event, moment);
        return;
      }
      const size = sizeOf(event);
      waiting.push({ event, moment });
      characters += size;
      room.left -= size;
      const isSeen = screen.observe(event).finding !== undefined;
      if (isFound || isSeen || room.left < 0) begin();
    },
    list() {
      if (judges === undefined) leave();
      return judges ?? alternatives.map(() => SILENT);
    },
  };
}

/** The preset that speaks earliest, without thresholds of the user's own: those hold for the guard in use. */
function earliest({ detectors: _, ...own }: GuardOptions): GuardOptions {
  return { ...own, preset: "aggressive" };
}

function sizeOf(event: AgentEvent): number {
  if (event.type === "call") return EVENT_CHARACTERS + lengthOf(event.args);
  if (event.type === "result") return EVENT_CHARACTERS + lengthOf(event.output);
  return EVENT_CHARACTERS + ("text" in event ? lengthOf(event.text) : 0);
}

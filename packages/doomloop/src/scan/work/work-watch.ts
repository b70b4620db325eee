import type { AgentEvent, CallEvent, ResultEvent } from "../../core/event.ts";
import type { Step } from "../../core/memory/step.ts";
import { readCall } from "../../core/progress/read-call.ts";
import type { Effect } from "../../core/progress/read-command.ts";
import { lengthOf } from "../costs/answer-ledger.ts";
import { describeCheck, fileRead, shownTool } from "../describe-call.ts";
import { toolOf } from "../describe-step.ts";
import { createHourWatch } from "./active-days.ts";
import { createCheckWatch } from "./check-runs.ts";
import { createFileReadWatch } from "./file-reads.ts";
import { kindOfWork } from "./kind-of-work.ts";
import { createRunClock } from "./run-clock.ts";
import type { RunWork } from "./run-work.ts";
import { createWorkShares } from "./work-shares.ts";

/** What is known of an event when it is noted. */
interface NotedEvent {
  /** The index of the call that it makes or answers. */
  readonly index: number;
  readonly at: number | undefined;
  /** The call as the guard judged it. Undefined if it did not: what it would say is then read from the call. */
  readonly judged:
    | Pick<Step, "numbers" | "effect" | "isCommand" | "waitMs" | "failure" | "value" | "length" | "isSeen" | "isWayOut">
    | undefined;
  /** The call. Undefined if it is forgotten. */
  readonly call: CallEvent | undefined;
}

/** Watches what a run does: where its time goes, what it reads again, which checks fail. */
export interface WorkWatch {
  note(event: AgentEvent, noted: NotedEvent): void;
  /** How often checks ran, and edits of files succeeded. */
  counts(): { readonly tests: number; readonly edits: number };
  finish(): Omit<RunWork, "tokens">;
}

/** Calls whose kind was counted when they were made. */
const MAX_COUNTED = 1_000;
const MAX_TOOLS = 200;

/** Creates the watch of a run. Its memory is bounded, however long the run gets. */
export function createWorkWatch(): WorkWatch {
  const clock = createRunClock();
  const [tools, kinds] = [createWorkShares(), createWorkShares()];
  const files = createFileReadWatch();
  const checks = createCheckWatch();
  const hours = createHourWatch();
  const names = new Map<string, string>();
  const counted = new Set<number>();
  let compactions = 0;
  let [tests, edits] = [0, 0];

  const nameOf = (call: CallEvent): string => {
    const tool = toolOf(call);
    const known = names.get(tool);
    if (known !== undefined) return known;
    const name = shownTool(tool);
    if (names.size < MAX_TOOLS) names.set(tool, name);
    return name;
  };

  const countKind = (index: number, effect: Effect): void => {
    if (counted.size >= MAX_COUNTED) counted.delete(counted.values().next().value!);
    counted.add(index);
    kinds.addCall(effect);
  };

  const noteResult = (event: ResultEvent, timeMs: number, { index, judged, call }: NotedEvent): void => {
    if (call === undefined) return;
    const { kind, isCheck, isEdit } = kindOfWork(judged ?? readWork(call), call);
    const isFailing = judged === undefined ? event.error === true : judged.failure !== undefined;
    const characters = event.length ?? (judged?.isSeen === true ? judged.length : lengthOf(event.output));
    const cost = { isFailing, timeMs, characters: Number.isFinite(characters) ? Math.max(0, characters) : 0 };
    tools.addResult(nameOf(call), cost);
    if (!counted.delete(index)) kinds.addCall(kind);
    kinds.addResult(kind, cost);
    if (isCheck) {
      tests++;
      checks.note(describeCheck(toolOf(call), call.args), isFailing);
    }
    if (isEdit && !isFailing) edits++;
    const file = kind === "look" && !isFailing ? fileRead(toolOf(call), call.args) : undefined;
    // The next part of a file is not read again.
    const part = judged?.numbers.join() ?? "";
    if (file !== undefined) files.note({ ...file, path: `${file.path} ${part}`, text: judged?.value });
  };

  return {
    note(event, noted) {
      // A call that asks a person, or hands over, waits for one.
      const isPerson = event.type === "result" && noted.judged?.isWayOut === true;
      const timeMs = clock.note(event.type, noted.at, isPerson);
      if (event.type === "call") {
        tools.addCall(nameOf(event));
        hours.note(noted.at);
        // The guard judges a call when it is made if no result will come.
        if (noted.judged !== undefined) countKind(noted.index, kindOfWork(noted.judged, event).kind);
      } else if (event.type === "result") noteResult(event, timeMs, noted);
      else if (event.type === "compaction") {
        compactions++;
        files.compaction();
      }
    },
    counts: () => ({ tests, edits }),
    finish: () => ({
      time: clock.finish(),
      tools: tools.finish(),
      kinds: kinds.finish(),
      files: files.finish(),
      checks: checks.finish(),
      compactions,
      hours: hours.finish(),
    }),
  };
}

function readWork(call: CallEvent): Pick<Step, "effect" | "isCommand" | "waitMs"> {
  const { effect, command, waitMs } = readCall(toolOf(call), call.args);
  return { effect, isCommand: command !== undefined, waitMs };
}

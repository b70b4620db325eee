import type { AgentEvent, CallEvent, ResultEvent } from "../../core/event.ts";
import type { Step } from "../../core/memory/step.ts";
import { readText } from "../../core/outcome/read-outcome.ts";
import { readCall } from "../../core/progress/read-call.ts";
import type { Effect } from "../../core/progress/read-command.ts";
import { platform } from "../../platform.ts";
import { isProgramMissing } from "../advice/cause.ts";
import { lengthOf } from "../costs/answer-ledger.ts";
import { describeCheck, fileRead, shownTool } from "../describe-call.ts";
import { toolOf } from "../describe-step.ts";
import { createHourWatch, type HourWatch } from "./active-days.ts";
import { type CheckWatch, createCheckWatch } from "./check-runs.ts";
import { createFileReadWatch } from "./file-reads.ts";
import { kindOfWork } from "./kind-of-work.ts";
import { createRunClock } from "./run-clock.ts";
import { answersBefore, type FilesReadMost, type WorkPart } from "./run-work.ts";
import { createWorkShares, type WorkShares } from "./work-shares.ts";

/** What is known of an event when it is noted. */
interface NotedEvent {
  /** The index of the call that it makes or answers. */
  readonly index: number;
  /** How many answers the run had before it. */
  readonly answers: number;
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
  /** Ends the run, which had so many answers. */
  finish(answers: number): {
    readonly parts: readonly Omit<WorkPart, "tokens">[];
    readonly files: FilesReadMost;
  };
}

/** Calls whose kind was counted when they were made. */
const MAX_COUNTED = 1_000;
const MAX_TOOLS = 200;
/** What the user says later begins no part of its own. */
const MAX_PARTS = 500;

/** Creates the watch of a run. Its memory is bounded, however long the run gets. */
export function createWorkWatch(): WorkWatch {
  const clock = createRunClock();
  const files = createFileReadWatch();
  const parts: Omit<WorkPart, "tokens">[] = [];
  let part = openPart();
  const names = new Map<string, string>();
  const counted = new Set<number>();

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
    part.kinds.addCall(effect);
  };

  const noteResult = (event: ResultEvent, timeMs: number, { index, judged, call }: NotedEvent): void => {
    if (call === undefined) return;
    const { kind, isCheck, isEdit } = kindOfWork(judged ?? readWork(call), call);
    const isFailing = judged === undefined ? event.error === true : judged.failure !== undefined;
    const characters = event.length ?? (judged?.isSeen === true ? judged.length : lengthOf(event.output));
    const cost = { isFailing, timeMs, characters: Number.isFinite(characters) ? Math.max(0, characters) : 0 };
    part.tools.addResult(nameOf(call), cost);
    if (!counted.delete(index)) part.kinds.addCall(kind);
    part.kinds.addResult(kind, cost);
    // A check that is not there has checked nothing.
    if (isCheck && !(isFailing && isProgramMissing(readText(event.output, platform).text))) {
      part.tests++;
      part.checks.note(describeCheck(toolOf(call), call.args), isFailing);
    }
    if (isEdit && !isFailing) part.edits++;
    const file = kind === "look" && !isFailing ? fileRead(toolOf(call), call.args) : undefined;
    // The next part of a file is not read again.
    const numbers = judged?.numbers.join() ?? "";
    if (file !== undefined) files.note({ ...file, path: `${file.path} ${numbers}`, text: judged?.value });
  };

  const closePart = (answers: number): void => {
    const { tools, kinds, checks, hours, ...counts } = part;
    parts.push({
      ...counts,
      answers,
      time: clock.take(),
      tools: tools.finish(),
      kinds: kinds.finish(),
      files: files.take(),
      checks: checks.finish(),
      hours: hours.finish(),
    });
    part = openPart();
  };

  return {
    note(event, noted) {
      const { judged } = noted;
      if (event.type === "user" && noted.answers > answersBefore(parts, parts.length) && parts.length < MAX_PARTS)
        closePart(noted.answers);
      // A call that asks a person, or hands over, waits for one.
      const isPerson = event.type === "result" && judged?.isWayOut === true;
      const timeMs = clock.note(event.type, noted.at, isPerson);
      if (judged?.isSeen === true && judged.failure !== undefined) part.failed++;
      if (event.type === "call") {
        part.calls++;
        part.tools.addCall(nameOf(event));
        part.hours.note(noted.at);
        // The guard judges a call when it is made if no result will come.
        if (judged !== undefined) countKind(noted.index, kindOfWork(judged, event).kind);
      } else if (event.type === "result") noteResult(event, timeMs, noted);
      else if (event.type === "compaction") {
        part.compactions++;
        files.compaction();
      }
    },
    finish(answers) {
      closePart(answers);
      return { parts, files: files.finish() };
    },
  };
}

interface OpenPart {
  calls: number;
  failed: number;
  tests: number;
  edits: number;
  compactions: number;
  readonly tools: WorkShares;
  readonly kinds: WorkShares;
  readonly checks: CheckWatch;
  readonly hours: HourWatch;
}

function openPart(): OpenPart {
  return {
    ...{ calls: 0, failed: 0, tests: 0, edits: 0, compactions: 0 },
    tools: createWorkShares(),
    kinds: createWorkShares(),
    checks: createCheckWatch(),
    hours: createHourWatch(),
  };
}

function readWork(call: CallEvent): Pick<Step, "effect" | "isCommand" | "waitMs"> {
  const { effect, command, waitMs } = readCall(toolOf(call), call.args);
  return { effect, isCommand: command !== undefined, waitMs };
}

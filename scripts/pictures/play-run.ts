import type { Reason } from "../../packages/doomloop/src/core/finding.ts";
import { createCoreGuard } from "../../packages/doomloop/src/core/guard.ts";
import type { Step } from "../../packages/doomloop/src/core/memory/step.ts";
import type { AgentEvent, Decision } from "../../packages/doomloop/src/index.ts";
import { platform } from "../../packages/doomloop/src/platform.ts";

/** What became of a call as a repeat: `first` of its kind, came back with something `new`, `counted`, or not, for a reason. */
type Standing = "first" | "new" | "counted" | Exclude<Reason, "new-outcome">;

export interface CallRow {
  readonly type: "call";
  /** Counted from 1. */
  readonly call: number;
  readonly tool: string;
  readonly argument: string;
  /** Equal calls share it. */
  readonly same: string;
  /** Equal outcomes share it; null without a result. */
  outcome: string | null;
  state: "open" | "ok" | "failed" | "refused";
  standing: Standing;
  readonly said: Decision[];
}

/** Words of the agent: an answer without a call, or a piece of one that is still streamed. */
interface WordsRow {
  readonly type: "text" | "reasoning";
  readonly text: string;
  readonly same: string;
  readonly said: Decision[];
}

/** What happens besides. */
interface AsideRow {
  readonly type: "user" | "compaction" | "pause";
  readonly text: string;
}

export type Row = CallRow | WordsRow | AsideRow;

export interface PlayedRun {
  readonly rows: readonly Row[];
  /** Calls of the recording that come after the guard has ended the run: never made. */
  readonly spared: readonly CallRow[];
}

/** Pauses from this on are told. */
const PAUSE_MS = 5_000;
const MAX_CHARACTERS = 200;

/**
 * Plays a recorded run through a guard with default options, as a host would: a call that is refused is answered with a stand-in, and
 * after a stop nothing more is made.
 */
export function playRun(events: readonly AgentEvent[]): PlayedRun {
  const guard = createCoreGuard({ onFault: raise }, platform);
  const rows: Row[] = [];
  const spared: CallRow[] = [];
  const open = new Map<string | undefined, CallRow>();
  let calls = 0;
  let isStopped = false;
  let latestAt: number | undefined;

  const take = (event: AgentEvent, row: CallRow | WordsRow | undefined): void => {
    const decision = guard.observe(event);
    if (decision.action !== "continue") row?.said.push(structuredClone(decision));
    if (decision.action === "stop") isStopped = true;
    if (row?.type !== "call") return;
    const step = guard.judged();
    if (event.type === "result" && step !== undefined) settle(row, step);
    if (event.type === "call" && (decision.action === "block" || decision.action === "stop")) row.state = "refused";
  };

  for (const event of events) {
    if (event.type === "call") {
      const row = newCall(event.tool, event.args, ++calls);
      if (isStopped) {
        spared.push(row);
        continue;
      }
      const pauseMs = event.at === undefined || latestAt === undefined ? 0 : event.at - latestAt;
      if (pauseMs >= PAUSE_MS) rows.push({ type: "pause", text: `${Math.round(pauseMs / 1000)} s later` });
      rows.push(row);
      open.set(event.id, row);
      take(event, row);
    } else if (isStopped) continue;
    else if (event.type === "result") {
      const row = open.get(event.id);
      take(row?.state === "refused" ? { ...event, output: undefined, error: undefined, synthetic: true } : event, row);
    } else if (event.type === "text" || event.type === "reasoning") {
      const row: WordsRow = { type: event.type, text: event.text, same: `${event.type} ${event.text}`, said: [] };
      rows.push(row);
      take(event, row);
    } else {
      if (event.type === "user") rows.push({ type: "user", text: event.text ?? "" });
      if (event.type === "compaction") rows.push({ type: "compaction", text: "the conversation is compacted" });
      take(event, undefined);
    }
    if ("at" in event) latestAt = event.at ?? latestAt;
  }
  return { rows, spared };
}

function newCall(tool: string, args: unknown, call: number): CallRow {
  const same = JSON.stringify([tool, args]);
  const argument = shortArgument(args);
  return { type: "call", call, tool, argument, same, outcome: null, state: "open", standing: "first", said: [] };
}

function settle(row: CallRow, step: Step): void {
  if (row.state === "refused") return;
  row.state = step.failure === undefined ? "ok" : "failed";
  row.outcome = step.value;
  row.standing = standingOf(step);
}

function standingOf({ reason, repeats, isNewCall }: Step): Standing {
  if (reason !== undefined && reason !== "new-outcome") return reason;
  if (repeats > 1) return "counted";
  return isNewCall ? "first" : "new";
}

function raise(fault: unknown): never {
  throw fault;
}

/** The arguments of a call in one line: the values that can be read, in their order. Foreign: escape before showing. */
function shortArgument(args: unknown): string {
  const values = typeof args === "object" && args !== null ? Object.values(args) : [args];
  return values
    .filter((value) => ["string", "number", "boolean"].includes(typeof value))
    .map((value) => String(value).slice(0, MAX_CHARACTERS).trim().split("\n", 1)[0])
    .join(", ")
    .slice(0, MAX_CHARACTERS);
}

/** What is wrong with a run as an example of a kind of loop: the guard must speak of that kind first. Undefined if nothing is. */
export function checkRun(kind: string, { rows }: PlayedRun): string | undefined {
  const [first] = rows.flatMap((row) => ("said" in row ? row.said : []));
  const found = first?.finding?.kind ?? "silence";
  return found === kind ? undefined : `${kind}: a first message about ${kind} is required, got ${found}`;
}

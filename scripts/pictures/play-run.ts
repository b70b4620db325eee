import { resolveOptions } from "../../packages/doomloop/src/core/options.ts";
import { createToolRules } from "../../packages/doomloop/src/core/policy/tool-rules.ts";
import type { Reason } from "../../packages/doomloop/src/core/reason.ts";
import { createRun } from "../../packages/doomloop/src/core/run.ts";
import type { JudgedStep } from "../../packages/doomloop/src/core/step.ts";
import { type AgentEvent, createGuard, type Decision } from "../../packages/doomloop/src/index.ts";
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
 *
 * A guard tells why a repeat was not counted only where it finds a loop. Here it is told of innocent runs as well: what judges
 * the steps inside the guard is asked a second time, beside it.
 */
export function playRun(events: readonly AgentEvent[]): PlayedRun {
  const { progress, streams } = resolveOptions({});
  const guard = createGuard({ onFault: raise });
  const judge = createRun({ progress, streams, platform, ruleOf: createToolRules({}, raise) });
  const rows: Row[] = [];
  const spared: CallRow[] = [];
  const open = new Map<string | undefined, CallRow>();
  let calls = 0;
  let isStopped = false;
  let latestAt: number | undefined;

  const take = (event: AgentEvent, row: CallRow | WordsRow | undefined): void => {
    const decision = guard.observe(event);
    const moved = judge.take(event);
    if (decision.action !== "continue") row?.said.push(structuredClone(decision));
    if (decision.action === "stop") isStopped = true;
    if (row?.type !== "call") return;
    if (moved.kind === "step") settle(row, moved.judged);
    if (moved.kind !== "call" || (decision.action !== "block" && decision.action !== "stop")) return;
    judge.refuse(moved.step);
    row.state = "refused";
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

function settle(row: CallRow, judged: JudgedStep): void {
  const { step } = judged;
  if (row.state === "refused") return;
  row.state = step.failure === undefined ? "ok" : "failed";
  row.outcome = String(step.outcome);
  row.standing = standingOf(judged);
}

/** A call that is equal to another in substance only is no repeat to the eye: it is told of where it counts. */
function standingOf({ exact, fuzzy, step }: JudgedStep): Standing {
  if (exact.reason === undefined) return "counted";
  if (exact.reason !== "new-outcome") return exact.reason;
  if (fuzzy !== undefined && fuzzy.reason === undefined) return "counted";
  return step.isNewCall ? "first" : "new";
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
/**
 * What is wrong with a run as an example of a kind of loop; undefined if nothing is. `KIND/loop` must be found, and first by that kind;
 * `KIND/innocent/NAME` must be left alone.
 */
export function checkRun(name: string, kind: string, { rows }: PlayedRun): string | undefined {
  const said = rows.flatMap((row) => ("said" in row ? row.said : []));
  const kinds = said.map(({ finding }) => finding?.kind);
  if (name.startsWith(`${kind}/innocent/`)) {
    return kinds.length === 0 ? undefined : `${name}: silence is required, got ${kinds.join(", ")}`;
  }
  if (name !== `${kind}/loop`) return `${name}: a name like ${kind}/loop or ${kind}/innocent/name is required`;
  return kinds[0] === kind
    ? undefined
    : `${name}: a first word about ${kind} is required, got ${kinds[0] ?? "silence"}`;
}

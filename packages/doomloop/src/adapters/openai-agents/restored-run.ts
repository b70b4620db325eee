import { isJsonText } from "../../host/append-words.ts";
import type { HostRun } from "../../host/host-run.ts";
import { hasOwnWords, isRefusal, withoutOwnWords } from "../../host/own-words.ts";
import type { ItemLike } from "./agent.ts";
import { readOutput, textOfOutput } from "./text-of-output.ts";

/** The fields of a run's state that are read here. */
export interface StateLike {
  readonly currentAgent: object;
  readonly history: readonly object[];
  readonly _context: object;
  /** The answer whose calls wait for a human. */
  readonly _lastTurnResponse?: { readonly output: readonly object[] } | undefined;
}

/** A call of a history, and whether a human rejected it. */
export interface RecalledCall {
  readonly tool: string;
  readonly isRejected: boolean;
}

/** What is read of a restored run. */
export interface RestoredRun {
  readonly items: readonly ItemLike[];
  /** Whether the calls that wait for a human are in an answer of their own. */
  readonly isNewAnswer: boolean;
}

/** Reports to the guard of an agent what happened in a run. */
export type RecallState = (context: object, restored: RestoredRun) => void;

/** What the SDK writes for a call that a human rejected without a message. */
export const NOT_APPROVED = "Tool execution was not approved.";

const byAgent = new WeakMap<object, RecallState>();
const MAX_ITEMS = 400;

/** Registers a function for the restored runs of an agent. */
export function onState(agent: object, recall: RecallState): void {
  byAgent.set(agent, recall);
}

/** Reports to the guard what happened in a run that was restored from text. A run that the guard still knows is not changed. Never throws. */
export function recallState(state: StateLike): void {
  try {
    byAgent.get(state.currentAgent)?.(state._context, readState(state));
  } catch {
    // A state that another version of the SDK writes in another way is left as it is.
  }
}

function readState({ history, _lastTurnResponse: answer }: StateLike): RestoredRun {
  const items: readonly ItemLike[] = history;
  const results = new Set(items.map(({ type, callId }) => (type === "function_call_result" ? callId : undefined)));
  const calls: readonly ItemLike[] = answer?.output ?? [];
  return { items, isNewAnswer: !calls.some(({ callId }) => callId !== undefined && results.has(callId)) };
}

/** One model answer: its calls, each with its result. */
interface Turn {
  readonly calls: ItemLike[];
  readonly results: Map<string, ItemLike>;
}

/** Reports the calls of a history to a run. Their times are unknown. */
export function recallHistory(items: readonly ItemLike[], run: HostRun): void {
  for (const turn of readTurns(items.slice(-MAX_ITEMS))) {
    if (turn === "user") run.recall("untold", () => run.user());
    else run.recall(isTold(turn) ? "told" : "untold", () => recallTurn(turn, run));
  }
}

/** The calls of a history that have a result. */
export function callsIn(items: readonly ItemLike[]): RecalledCall[] {
  const turns = readTurns(items.slice(-MAX_ITEMS)).filter((turn) => turn !== "user");
  return turns.flatMap(answeredIn).map(({ tool, text }) => ({ tool, isRejected: text === NOT_APPROVED }));
}

function answeredIn({ calls, results }: Turn) {
  return calls.flatMap(({ callId: id = "", name: tool, arguments: args }) => {
    const result = results.get(id);
    return result === undefined || tool === undefined ? [] : { id, tool, args, text: textOfOutput(result.output) };
  });
}

function recallTurn(turn: Turn, run: HostRun): void {
  const answered = answeredIn(turn);
  run.round();
  for (const { id, tool, args, text } of answered) run.call({ id, tool, args, hasRun: !isRefusal(text) });
  for (const { id, text } of answered) {
    const output = readOutput(withoutOwnWords(text));
    run.result({ id, output, error: text === NOT_APPROVED || undefined, isRefusal: isRefusal(text) });
  }
}

/** Words about a result that cannot carry them were in the instructions. Nobody knows, so the guard counts them as said. */
function isTold({ results }: Turn): boolean {
  return [...results.values()].some(({ output }) => {
    const text = textOfOutput(output);
    if (text === undefined || text === NOT_APPROVED || isJsonText(text)) return true;
    return isRefusal(text) || hasOwnWords(text);
  });
}

function readTurns(items: readonly ItemLike[]): (Turn | "user")[] {
  const turns: (Turn | "user")[] = [];
  let turn: Turn | undefined;
  for (const item of items) {
    const { type, role, callId = "" } = item;
    if (role === "user") {
      turn = undefined;
      turns.push("user");
    }
    if (type === "function_call_result") turn?.results.set(callId, item);
    if (type !== "function_call") continue;
    if (turn === undefined || turn.results.size > 0) {
      turn = { calls: [], results: new Map() };
      turns.push(turn);
    }
    turn.calls.push(item);
  }
  return turns;
}

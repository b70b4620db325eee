import type { HostOptions, LoopStop } from "../../host/host-options.ts";
import type { HostRun } from "../../host/host-run.ts";
import { createHostRuns } from "../../host/host-runs.ts";
import { LoopStopError } from "../../host/loop-stop-error.ts";
import { DoomloopError } from "../../index.ts";
import { type AgentTurn, createAgentTurn } from "./agent-turn.ts";
import { blockedTool, withoutBlockedTool } from "./blocked-calls.ts";
import { letThrough } from "./let-through.ts";
import { stopMark } from "./loop-stop.ts";
import { isAnswer, type MessageLike } from "./messages.ts";
import { type RuntimeLike, runKey } from "./run-key.ts";

/** What is used of a request to the model. */
interface RequestLike {
  readonly messages: readonly MessageLike[];
  readonly state: { readonly messages: readonly MessageLike[] };
  readonly runtime: RuntimeLike;
  readonly tools?: readonly unknown[];
}

export interface LoopGuardOptions extends HostOptions {
  /**
   * What becomes of a run that the guard ends, as in the host's own limits. `end`: it ends with an answer that says why, and
   * `loopStop(result)` is the reason as a value. `error`: it is rejected with a `LoopStopError`.
   * @default "end"
   */
  readonly exitBehavior?: "end" | "error";
}

/** A middleware of `createAgent`. */
export interface LoopGuard {
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: the host's classes are not repeated here; a request is read as a RequestLike.
  wrapModelCall(request: any, handler: (request: any) => any): Promise<any>;
}

/**
 * Guards an agent of LangChain: `createAgent({ model, tools, middleware: [loopGuard()] })`.
 *
 * It wraps the request to the model, and has a tool that answers blocked calls: every other hook is a step of the graph, which the host
 * counts against `recursionLimit`, and a wrapper of tools changes by its mere presence what the host does with their errors. Each
 * thread has a guard of its own; without threads, each run.
 *
 * Throws a `DoomloopError` for options that make no sense; nothing throws after that but the `LoopStopError` that you ask for.
 */
export function loopGuard(options: LoopGuardOptions = {}): LoopGuard {
  const { exitBehavior = "end", ...hostOptions } = options;
  requireExitBehavior(exitBehavior);
  const runs = createHostRuns(hostOptions, { nudge: "result", block: true, stop: "clean" });
  const turns = new WeakMap<HostRun, AgentTurn>();
  const { safely } = runs;

  const turnOf = (runtime: RuntimeLike): AgentTurn | undefined => {
    // Earlier hosts tell no thread here, keep no words, and end a run that has a call of a tool they do not know.
    if (runtime.configurable === undefined) throw new Error("loopGuard: langchain 1.2.28 or later is required");
    const key = runKey(runtime);
    if (key === undefined) return undefined;
    const run = runs.of(key);
    const turn = turns.get(run) ?? createAgentTurn(run);
    turns.set(run, turn);
    return turn;
  };

  const guard = {
    name: "doomloop",
    // Not in the type: no tool of the agent's is of this one's type.
    tools: [blockedTool()],
    async wrapModelCall(given: RequestLike, handler: (request: RequestLike) => unknown) {
      const request = safely(given, () => withoutBlockedTool(given));
      const turn = safely(undefined, () => turnOf(request.runtime));
      const { messages } = request.state;
      const stop = safely(undefined, () => turn?.begin(messages));
      if (stop !== undefined && exitBehavior === "error") throw letThrough(new LoopStopError(stop));
      const lastWords = safely(undefined, () => stop && lastAnswer(messages, stop));
      const asked = safely(request, () => (turn === undefined ? request : withMessages(request, turn.read)));
      let answer: unknown = lastWords;
      try {
        answer ??= await handler(asked);
      } catch (error) {
        throw letThrough(error);
      }
      return safely(answer, () => {
        if (turn !== undefined) keep(request.runtime, turn.replaced());
        return lastWords ?? turn?.judge(answer) ?? answer;
      });
    },
  };
  return guard;
}

function requireExitBehavior(value: string): void {
  if (value === "end" || value === "error") return;
  throw new DoomloopError("invalid-option", `loopGuard: exitBehavior: "end" or "error" is required, got "${value}"`);
}

/** The answer that ends a run: words for people, in the host's class. */
function lastAnswer(messages: readonly MessageLike[], stop: LoopStop): MessageLike | undefined {
  const Answer = messages.findLast(isAnswer)?.constructor as (new (fields: object) => MessageLike) | undefined;
  return Answer && new Answer({ content: stop.explanation, ...stopMark(stop) });
}

/** The very same request where nothing is to be changed. */
function withMessages(request: RequestLike, read: AgentTurn["read"]): RequestLike {
  const messages = read(request.messages);
  return messages === request.messages ? request : { ...request, messages };
}

/**
 * Puts messages into the state, in the place of those with the same ids. What a wrapper returns is only the answer, so this goes
 * to the channel. Where there is none, the state keeps the first wording.
 */
function keep({ configurable }: RuntimeLike, messages: readonly MessageLike[]): void {
  const { __pregel_send: send } = configurable ?? {};
  if (messages.length > 0 && typeof send === "function") send([["messages", messages]]);
}

import type { HostOptions, LoopStop } from "../../host/host-options.ts";
import type { HostRun } from "../../host/host-run.ts";
import { createHostRuns } from "../../host/host-runs.ts";
import { DoomloopError } from "../../index.ts";
import { type AgentTurn, createAgentTurn } from "./agent-turn.ts";
import { blockedTool, withoutBlockedTool } from "./blocked-calls.ts";
import { type RuntimeLike, runKey } from "./identify-run.ts";
import { LoopStopError, stopMark } from "./loop-stop.ts";
import { isAnswer, type MessageLike } from "./messages.ts";

/** The fields of a model request that are used here. */
interface RequestLike {
  readonly messages: readonly MessageLike[];
  readonly state: { readonly messages: readonly MessageLike[] };
  readonly runtime: RuntimeLike;
  readonly tools?: readonly unknown[];
}

/** Options of a guarded agent: those of a guard, and how a run ends. */
export interface GuardedAgentOptions extends HostOptions {
  /**
   * What happens to a run that the guard ends, as with LangChain's own limits. `end`: it ends with an answer that says why, and
   * `loopStop(result)` returns the reason. `error`: it is rejected, and `loopStop(error)` returns the reason.
   * @default "end"
   */
  readonly exitBehavior?: "end" | "error";
}

/** A middleware of `createAgent`. */
export interface Middleware {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: LangChain's classes are not repeated here; a request is read as a RequestLike.
  wrapModelCall(request: any, handler: (request: any) => any): Promise<any>;
}

/** The name of our middleware. LangChain accepts each name once. */
export const NAME = "doomloop";

/**
 * Creates the middleware that guards an agent.
 *
 * It wraps the request to the model, and has a tool that answers blocked calls. Any other hook would be a step of the graph, which counts
 * against `recursionLimit`, and the mere presence of a tool wrapper changes how LangChain handles tool errors. Each thread has its own
 * guard; without threads, each run.
 */
export function createMiddleware(options: GuardedAgentOptions): Middleware {
  const { exitBehavior = "end", ...hostOptions } = options;
  requireExitBehavior(exitBehavior);
  const runs = createHostRuns(hostOptions, { nudge: "result", block: true, stop: "clean" });
  const turns = new WeakMap<HostRun, AgentTurn>();
  const { withFallback } = runs;

  const turnOf = (runtime: RuntimeLike): AgentTurn | undefined => {
    // Earlier versions do not pass the thread here, drop our words, and end a run that calls an unknown tool.
    if (runtime.configurable === undefined) throw new Error("guard: langchain 1.2.28 or later is required");
    const key = runKey(runtime);
    if (key === undefined) return undefined;
    const run = runs.of(key);
    const turn = turns.get(run) ?? createAgentTurn(run);
    turns.set(run, turn);
    return turn;
  };

  const middleware = {
    name: NAME,
    tools: [blockedTool()],
    async wrapModelCall(given: RequestLike, handler: (request: RequestLike) => unknown) {
      const request = withFallback(given, () => withoutBlockedTool(given));
      const turn = withFallback(undefined, () => turnOf(request.runtime));
      const { messages } = request.state;
      const stop = withFallback(undefined, () => turn?.begin(messages));
      if (stop !== undefined && exitBehavior === "error") throw passThroughUnwrapped(new LoopStopError(stop));
      const lastWords = withFallback(undefined, () => stop && lastAnswer(messages, stop));
      const asked = withFallback(request, () => (turn === undefined ? request : withMessages(request, turn.read)));
      let answer: unknown = lastWords;
      try {
        answer ??= await handler(asked);
      } catch (error) {
        throw passThroughUnwrapped(error);
      }
      return withFallback(answer, () => {
        if (turn !== undefined) keep(request.runtime, turn.replaced());
        return lastWords ?? turn?.judge(answer) ?? answer;
      });
    },
  };
  return middleware;
}

function requireExitBehavior(value: string): void {
  if (value === "end" || value === "error") return;
  throw new DoomloopError("invalid-option", `guard: exitBehavior: "end" or "error" is required, got "${value}"`);
}

/** The answer that ends a run: the explanation for people, as an instance of LangChain's own class. */
function lastAnswer(messages: readonly MessageLike[], stop: LoopStop): MessageLike | undefined {
  const Answer = messages.findLast(isAnswer)?.constructor as (new (fields: object) => MessageLike) | undefined;
  return Answer && new Answer({ content: stop.explanation, ...stopMark(stop) });
}

/** Returns the same request if nothing changes. */
function withMessages(request: RequestLike, read: AgentTurn["read"]): RequestLike {
  const messages = read(request.messages);
  return messages === request.messages ? request : { ...request, messages };
}

/**
 * Replaces the messages with the same ids in the state. A wrapper can only return the answer, so this goes to the channel. If there is no
 * channel, the state keeps the original messages.
 */
function keep({ configurable }: RuntimeLike, messages: readonly MessageLike[]): void {
  const { __pregel_send: send } = configurable ?? {};
  if (messages.length > 0 && typeof send === "function") send([["messages", messages]]);
}

const MARK = "is_bubble_up";

/**
 * Marks an error so that LangChain passes it on unchanged if a middleware throws it now. LangChain wraps any other error from a
 * middleware, even one of the model that the middleware only rethrows. Everywhere else, the mark means that there is no error at
 * all, so it is removed when it is read, or soon after if nothing reads it.
 */
function passThroughUnwrapped(error: unknown): unknown {
  if (!(error instanceof Error) || MARK in error) return error;
  const unmark = (): boolean => Reflect.deleteProperty(error, MARK);
  const isMarked = Reflect.defineProperty(error, MARK, { configurable: true, enumerable: false, get: unmark });
  // LangChain reads the mark one microtask after the throw.
  if (isMarked)
    void Promise.resolve()
      .then(() => undefined)
      .then(unmark);
  return error;
}

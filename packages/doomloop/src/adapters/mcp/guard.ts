import { isObject } from "../../core/identity/read-object.ts";
import { appendToError, appendWords } from "../../host/append-words.ts";
import { isCancelled } from "../../host/host-errors.ts";
import type { HostOptions, LoopStop } from "../../host/host-options.ts";
import type { HostCall, HostRun, RefusedCall } from "../../host/host-run.ts";
import { createHostRuns } from "../../host/host-runs.ts";
import { requireObject } from "../../host/require-object.ts";

type Method = (...parameters: unknown[]) => Promise<object>;

const DECISION = "doomloop/decision";

/** We make our own ids, unique in the process, because several clients may share a guard. */
let calls = 0;

/** The end of a run, by the result of the call that was refused. A server cannot pretend one. */
const stops = new WeakMap<object, LoopStop>();

/**
 * Guards the tool calls that one run of an agent makes through an MCP client: `const guarded = guard(client)`.
 *
 * The client itself is not changed; wrap it once for each run. MCP cannot end a run, so a stop becomes a block. {@link loopStop} tells
 * your program, which can end the run, and `onDowngrade` is called.
 *
 * Throws a `DoomloopError` for invalid options; nothing throws after that.
 */
export function guard<Client extends ClientLike>(client: Client, options: HostOptions = {}): Client {
  requireObject(client, "a client");
  const runs = createHostRuns(options, { nudge: "result", block: true, stop: "none" });
  const run = runs.start();
  const hints = readOnlyHints(client);
  const { callTool: call, listTools: list } = client as unknown as { callTool: Method; listTools: Method };

  const { withFallback } = runs;
  let inFlight = 0;

  const callTool: Method = (...parameters) => {
    const known = withFallback(undefined, () => readCall(parameters[0], hints.of));
    if (known === undefined) return call.apply(client, parameters);
    // MCP does not show model answers. A call made while no other is under way starts a new one.
    if (inFlight === 0) run.round();
    const answer = run.call(known);
    if (answer.action !== "run") return Promise.resolve(blocked(answer));
    const calling = call.apply(client, parameters);
    inFlight++;
    const called = Promise.resolve(calling).finally(() => {
      inFlight--;
    });
    return called.then(
      (result) => withFallback(result, () => observeResult(run, answer.id, result)),
      (error) => {
        throw withFallback(error, () => observeError(run, answer.id, error, signalOf(parameters)));
      },
    );
  };

  const listTools: Method = async (...parameters) => {
    const listed = await list.apply(client, parameters);
    withFallback(undefined, () => hints.learn(listed));
    return listed;
  };

  return overlay(client, { callTool, listTools });
}

/** The end of the run if the guard decided it at this call; undefined otherwise. Takes what `callTool` of a guarded client returns. */
export function loopStop(result: object): LoopStop | undefined {
  return stops.get(result);
}

function readCall(parameters: unknown, hint: (tool: string) => boolean | undefined): HostCall {
  const { name, arguments: args } = parameters as { name: string; arguments?: unknown };
  return { id: `mcp-${++calls}`, tool: name, args, readOnly: hint(name) };
}

/** The options of a request come last. Earlier major versions take a schema before them. */
function signalOf(parameters: readonly unknown[]): unknown {
  const options = parameters.slice(1).findLast(isObject);
  return (options as { signal?: unknown } | undefined)?.signal;
}

/**
 * A tool error, so that the output is not checked against the tool's schema. The decision is also in `_meta`, which no model reads, for
 * a program that gets the result from a server.
 */
function blocked({ message: text, stop }: RefusedCall): object {
  const result = { content: [{ type: "text", text }], isError: true, _meta: { [DECISION]: stop?.action ?? "block" } };
  // The id is ours, and nobody else has seen it.
  if (stop !== undefined) stops.set(result, { ...stop, callId: undefined });
  return result;
}

function observeResult(run: HostRun, id: string, result: object): object {
  const { content, isError } = result as ResultLike;
  const words = run.result({ id, output: outputOf(result), error: isError === true });
  if (words === undefined) return result;
  const appended = appendWords(content, words);
  if (appended !== undefined) return { ...result, content: appended };
  run.hold(words);
  return result;
}

function observeError(run: HostRun, id: string, error: unknown, signal: unknown): unknown {
  if (isCancelled(signal)) {
    run.abandon(id);
    return error;
  }
  const words = run.result({ id, output: error instanceof Error ? error.message : error, error: true });
  if (words === undefined) return error;
  const spoken = appendToError(error, words);
  if (spoken === undefined) run.hold(words);
  return spoken ?? error;
}

/** What the model reads. A single piece of text is returned without the list. */
function outputOf(result: ResultLike): unknown {
  const { content, structuredContent } = result;
  if (!Array.isArray(content)) return result;
  if (content.length === 0) return structuredContent;
  return content.length === 1 && content[0].type === "text" ? content[0].text : content;
}

/** The two methods of an MCP client that are wrapped. Major versions differ after the first parameter; everything is passed on. */
export interface ClientLike {
  callTool(...parameters: never[]): Promise<object>;
  listTools(...parameters: never[]): Promise<object>;
}

/** The result of a tool. */
interface ResultLike {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
}

type AnyFunction = (...parameters: unknown[]) => unknown;

/**
 * Replaces a few methods of an object, without changing the object. Fields that are set are set on the original.
 *
 * Other methods are called on the original itself, because private fields cannot be reached through a proxy.
 */
function overlay<Target extends object>(target: Target, methods: Readonly<Record<string, AnyFunction>>): Target {
  const bound = new WeakMap<AnyFunction, AnyFunction>();

  const bind = (method: AnyFunction): AnyFunction => {
    const known = bound.get(method) ?? method.bind(target);
    bound.set(method, known);
    return known;
  };

  return new Proxy(target, {
    get(_, key) {
      if (typeof key === "string" && Object.hasOwn(methods, key)) return methods[key];
      const value: unknown = Reflect.get(target, key, target);
      const isMethod = typeof value === "function" && key !== "constructor" && !Object.hasOwn(target, key);
      return isMethod ? bind(value as AnyFunction) : value;
    },
    set: (_, key, value) => Reflect.set(target, key, value, target),
  });
}

const MAX_TOOLS = 2000;

const byClient = new WeakMap<object, ReadOnlyHints>();

/** What servers declare about their tools: whether a tool only reads. */
interface ReadOnlyHints {
  of(tool: string): boolean | undefined;
  /** Learns from the answer to `tools/list`. */
  learn(list: unknown): void;
}

/** The hints of a client's server. All runs of a client share them, because the tools may be listed only once. */
function readOnlyHints(client: object): ReadOnlyHints {
  const hints = byClient.get(client) ?? createHints();
  byClient.set(client, hints);
  return hints;
}

function createHints(): ReadOnlyHints {
  const byTool = new Map<string, boolean>();
  return {
    of: (tool) => byTool.get(tool),
    learn(list) {
      const { tools } = list as { tools?: readonly { name: string; annotations?: { readOnlyHint?: unknown } }[] };
      for (const { name, annotations } of tools ?? []) {
        byTool.delete(name);
        const hint = annotations?.readOnlyHint;
        if (typeof hint === "boolean" && byTool.size < MAX_TOOLS) byTool.set(name, hint);
      }
    },
  };
}

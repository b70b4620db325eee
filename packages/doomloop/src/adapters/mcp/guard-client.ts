import { appendToError } from "../../host/append-to-error.ts";
import { appendWords } from "../../host/append-words.ts";
import type { HostOptions } from "../../host/host-options.ts";
import type { HostCall, HostRun, RefusedCall } from "../../host/host-run.ts";
import { createHostRuns } from "../../host/host-runs.ts";
import { isCancelled } from "../../host/is-cancelled.ts";
import { isObject } from "../../host/is-object.ts";
import type { ClientLike, ResultLike } from "./client-like.ts";
import { overlay } from "./overlay.ts";
import { readOnlyHints } from "./read-only-hints.ts";

type Method = (...parameters: unknown[]) => Promise<object>;

const DECISION = "doomloop/decision";

/** Ids are our own, and distinct in the process: several clients may share a guard. */
let calls = 0;

/**
 * Guards the tool calls that one run of an agent makes through an MCP client: `const guarded = guardClient(client)`.
 *
 * The client is left as it is; wrap it once for each run. MCP cannot end a run: a stop is a block, whose result says in
 * `_meta["doomloop/decision"]` that it was to be a stop, and `onDowngrade` is told.
 *
 * Throws a `DoomloopError` for options that make no sense; nothing throws after that.
 */
export function guardClient<Client extends ClientLike>(client: Client, options: HostOptions = {}): Client {
  const runs = createHostRuns(options, { nudge: "result", block: true, stop: "none" });
  const run = runs.start();
  const hints = readOnlyHints(client);
  const { callTool: call, listTools: list } = client as unknown as { callTool: Method; listTools: Method };

  const { safely } = runs;
  let inFlight = 0;

  const callTool: Method = (...parameters) => {
    const known = safely(undefined, () => readCall(parameters[0], hints.of));
    if (known === undefined) return call.apply(client, parameters);
    // MCP shows no answers of the model: calls that are made while none is under way are a new one.
    if (inFlight === 0) run.round();
    const answer = run.call(known);
    if (answer.action !== "run") return Promise.resolve(blocked(answer));
    const calling = call.apply(client, parameters);
    inFlight++;
    const called = Promise.resolve(calling).finally(() => {
      inFlight--;
    });
    return called.then(
      (result) => safely(result, () => observeResult(run, answer.id, result)),
      (error) => {
        throw safely(error, () => observeError(run, answer.id, error, signalOf(parameters)));
      },
    );
  };

  const listTools: Method = async (...parameters) => {
    const listed = await list.apply(client, parameters);
    safely(undefined, () => hints.learn(listed));
    return listed;
  };

  return overlay(client, { callTool, listTools });
}

function readCall(parameters: unknown, hint: (tool: string) => boolean | undefined): HostCall {
  const { name, arguments: args } = parameters as { name: string; arguments?: unknown };
  return { id: `mcp-${++calls}`, tool: name, args, readOnly: hint(name) };
}

/** The options of a request come last; before them, earlier majors take a schema. */
function signalOf(parameters: readonly unknown[]): unknown {
  const options = parameters.slice(1).findLast(isObject);
  return (options as { signal?: unknown } | undefined)?.signal;
}

/** An error of the tool's, so that no schema of its output is asked for. What is meant for the program is where no model reads. */
function blocked({ message: text, decided }: RefusedCall): object {
  return { content: [{ type: "text", text }], isError: true, _meta: { [DECISION]: decided } };
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

/** What the model reads: a single piece of text stands for itself. */
function outputOf(result: ResultLike): unknown {
  const { content, structuredContent } = result;
  if (!Array.isArray(content)) return result;
  if (content.length === 0) return structuredContent;
  return content.length === 1 && content[0].type === "text" ? content[0].text : content;
}

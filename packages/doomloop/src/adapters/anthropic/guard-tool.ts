import { appendToError, appendWords } from "../../host/append-words.ts";
import { BlockedCall, isCancelled } from "../../host/host-errors.ts";
import type { HostOptions } from "../../host/host-options.ts";
import type { HostCall, HostRun } from "../../host/host-run.ts";
import { createHostRuns } from "../../host/host-runs.ts";
import type { RunContext, ToolLike, ToolUseLike } from "./messages.ts";

type Method = (this: unknown, ...parameters: unknown[]) => unknown;

interface GuardedTool {
  readonly tool: ToolLike;
  readonly options: HostOptions;
}

/** Tools that are already guarded. A tool must not be judged twice, and its runner takes over its options. */
const guardedTools = new WeakMap<object, GuardedTool>();

/** The options of the first guarded tool among these. */
export function optionsOf(tools: readonly ToolLike[]): HostOptions | undefined {
  return tools.map((tool) => guardedTools.get(tool)?.options).find((options) => options !== undefined);
}

/** Wraps `run` of a tool or toolset, even if it is guarded for another run. A tool without `run` is returned unchanged. */
export function guardTool<Tool extends ToolLike>(given: Tool, run: HostRun, options: HostOptions): Tool {
  const tool = (guardedTools.get(given)?.tool ?? given) as Tool;
  if (typeof tool.run !== "function") return given;
  const guarded = withMethods(tool, "name" in tool ? toolMethods(tool, run) : toolsetMethods(tool, run));
  guardedTools.set(guarded, { tool, options });
  return guarded;
}

function toolMethods(tool: ToolLike, run: HostRun): Record<string, Method> {
  const name = String(tool.name);
  return {
    run(args, context) {
      const { toolUse, signal } = (context ?? {}) as RunContext;
      const { id, input = args } = toolUse ?? {};
      const action = (): unknown => (tool.run as Method).call(tool, args, context);
      return judgeCall(run, { id: id || undefined, tool: name, args: input }, action, signal);
    },
    ...(typeof tool.parse === "function" && {
      parse(content) {
        try {
          return (tool.parse as Method).call(tool, content);
        } catch (error) {
          throw judgeRejected(run, { tool: name, args: content }, error);
        }
      },
    }),
  };
}

/** A toolset is one entry for many tools. The call says which one it is for. */
function toolsetMethods(toolset: ToolLike, run: HostRun): Record<string, Method> {
  return {
    run(context, toolUse) {
      const { id, name = "toolset", input } = (toolUse ?? {}) as Partial<ToolUseLike>;
      const { signal } = (context ?? {}) as RunContext;
      const action = (): unknown => (toolset.run as Method).call(toolset, context, toolUse);
      return judgeCall(run, { id: id || undefined, tool: name, args: input }, action, signal);
    },
  };
}

/** The tool with some methods replaced. All others are called on the tool itself, because a class may have private fields. */
function withMethods<Tool extends ToolLike>(tool: Tool, methods: Record<string, Method>): Tool {
  return new Proxy(configurableCopyOf(tool), {
    get(_target, key) {
      if (typeof key === "string" && Object.hasOwn(methods, key)) return methods[key];
      const value = Reflect.get(tool, key, tool) as unknown;
      return typeof value === "function" ? value.bind(tool) : value;
    },
  });
}

/** A proxy must not lie about fields that cannot be configured. If there are any, it wraps a copy. */
function configurableCopyOf<Tool extends ToolLike>(tool: Tool): Tool {
  const fields = Object.entries<PropertyDescriptor>(Object.getOwnPropertyDescriptors(tool));
  if (fields.every(([, { configurable }]) => configurable)) return tool;
  const configurable = fields.map(([key, field]) => [key, { ...field, configurable: true }]);
  return Object.create(Object.getPrototypeOf(tool), Object.fromEntries(configurable));
}

/**
 * Runs a call unless it is blocked, and appends words to its result.
 *
 * The call is judged at once, and its result later, even if the tool answers synchronously. So all calls of an answer are judged
 * before their results, as one round.
 */
async function judgeCall(run: HostRun, call: HostCall, action: () => unknown, signal: unknown): Promise<unknown> {
  const answer = run.call(call);
  if (answer.action !== "run") throw new BlockedCall(answer);
  let output: unknown;
  try {
    output = await action();
  } catch (error) {
    if (!isCancelled(signal)) throw failureOf(run, answer.id, error);
    run.abandon(answer.id);
    throw error;
  }
  const words = run.result({ id: answer.id, output, error: false });
  if (words === undefined) return output;
  const spoken = appendWords(output ?? "", words);
  if (spoken === undefined) run.hold(words);
  return spoken ?? output;
}

/** A call whose arguments the runner rejected before the tool ran. Returns the error to throw. */
function judgeRejected(run: HostRun, call: HostCall, error: unknown): unknown {
  const answer = run.call(call);
  return answer.action === "run" ? failureOf(run, answer.id, error) : new BlockedCall(answer);
}

/** The error of the tool; if there are words, one that inherits from it. */
function failureOf(run: HostRun, id: string, error: unknown): unknown {
  const words = run.result({ id, output: outputOf(error), error: true });
  if (words === undefined) return error;
  const spoken = withWords(error, words);
  if (spoken === undefined) run.hold(words);
  return spoken ?? error;
}

/** The model reads the content of a `ToolError`, and the message of any other error. */
function outputOf(error: unknown): unknown {
  if (hasContent(error)) return error.content;
  return error instanceof Error ? error.message : error;
}

function withWords(error: unknown, words: string): unknown {
  const spoken = appendToError(error, words);
  if (!hasContent(error)) return spoken;
  const value = appendWords(error.content, words);
  if (value === undefined) return undefined;
  return Object.defineProperty(spoken as Error, "content", { value, configurable: true, writable: true });
}

function hasContent(error: unknown): error is Error & { content: unknown } {
  return error instanceof Error && "content" in error;
}

/** Guards the tools of one run. Tools cannot end a run, so a stop is a block. */
export function guardTools<const Tool extends ToolLike>(tools: readonly Tool[], options: HostOptions = {}): Tool[] {
  const run = createHostRuns(options, { nudge: "result", block: true, stop: "none" }).start();
  return tools.map((tool) => guardTool(tool, run, options));
}

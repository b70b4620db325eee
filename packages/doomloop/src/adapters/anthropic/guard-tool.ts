import type { HostOptions } from "../../host/host-options.ts";
import type { HostRun } from "../../host/host-run.ts";
import { judgeCall, judgeRefusal } from "./judge-call.ts";
import type { RunContext, ToolLike, ToolUseLike } from "./messages.ts";

type Method = (this: unknown, ...words: unknown[]) => unknown;

interface GuardedTool {
  readonly tool: ToolLike;
  readonly options: HostOptions;
}

/** What was guarded already: a tool must not be judged twice, and a runner of its own takes the options over. */
const guardedTools = new WeakMap<object, GuardedTool>();

/** The options with which the first guarded one of these tools was guarded. */
export function optionsOf(tools: readonly ToolLike[]): HostOptions | undefined {
  return tools.map((tool) => guardedTools.get(tool)?.options).find((options) => options !== undefined);
}

/** Wraps `run` of a tool or toolset, also of one that is guarded for another run. One that has none is given back as it is. */
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
          throw judgeRefusal(run, { tool: name, args: content }, error);
        }
      },
    }),
  };
}

/** A toolset is one entry for many tools: the call says which. */
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
  return new Proxy(looseOf(tool), {
    get(_target, key) {
      if (typeof key === "string" && Object.hasOwn(methods, key)) return methods[key];
      const value = Reflect.get(tool, key, tool) as unknown;
      return typeof value === "function" ? value.bind(tool) : value;
    },
  });
}

/** A proxy must tell the truth about fixed fields: where there are some, it stands before a copy. */
function looseOf<Tool extends ToolLike>(tool: Tool): Tool {
  const fields = Object.entries<PropertyDescriptor>(Object.getOwnPropertyDescriptors(tool));
  if (fields.every(([, { configurable }]) => configurable)) return tool;
  const loose = fields.map(([key, field]) => [key, { ...field, configurable: true }]);
  return Object.create(Object.getPrototypeOf(tool), Object.fromEntries(loose));
}

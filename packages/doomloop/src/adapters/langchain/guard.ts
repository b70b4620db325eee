import { isObject } from "../../core/identity/read-object.ts";
import type { HostOptions } from "../../host/host-options.ts";
import { DoomloopError } from "../../index.ts";
import { type GuardedToolNode, guardToolNode, type ToolNodeLike } from "./guard-tool-node.ts";
import { createMiddleware, type GuardedAgentOptions, NAME } from "./middleware.ts";

/** A schema of a structured response, as JSON. Its lists stay mutable, because LangChain's own type asks for that. */
interface JsonSchemaLike {
  readonly required?: string[];
}

/** The few fields of the configuration of `createAgent` that are read here, or whose lists must not become read-only. */
export interface AgentConfigLike {
  readonly model: unknown;
  readonly tools?: unknown[] | undefined;
  readonly middleware?: readonly { readonly name: string }[] | undefined;
  readonly responseFormat?: JsonSchemaLike | JsonSchemaLike[] | object | undefined;
}

const NEITHER = "guard: the configuration of createAgent, or a ToolNode, is required";

/**
 * Guards a `ToolNode` of LangGraph: `addNode("tools", tools)` and `addConditionalEdges("tools", tools.orEnd("agent"))` with
 * `tools = guard(new ToolNode([...]))`.
 *
 * Throws a `DoomloopError` for invalid options; nothing throws after that.
 */
export function guard<Input, Output>(
  node: ToolNodeLike<Input, Output>,
  options?: HostOptions,
): GuardedToolNode<Input, Output>;
/**
 * Guards an agent of LangChain: `createAgent(guard({ model, tools }))`. Returns the configuration with one more middleware, the first
 * of the list. A configuration that is already guarded is not changed.
 *
 * Throws a `DoomloopError` for invalid options. After that, only a run throws, and only with `exitBehavior: "error"`.
 */
export function guard<const Config extends AgentConfigLike>(
  config: Config,
  options?: GuardedAgentOptions,
): NoInfer<Config>;
export function guard(given: AgentConfigLike | ToolNodeLike<unknown, unknown>, options: GuardedAgentOptions = {}) {
  if (!isObject(given)) throw new DoomloopError("invalid-option", NEITHER);
  return "invoke" in given ? guardNode(given, options) : guardConfig(given, options);
}

/** Agents and graphs have `invoke`, too, but only a `ToolNode` has a list of tools. */
function guardNode(node: ToolNodeLike<unknown, unknown>, options: HostOptions): GuardedToolNode<unknown, unknown> {
  if (!Array.isArray(node.tools)) throw new DoomloopError("invalid-option", NEITHER);
  return guardToolNode(node, options);
}

/**
 * Our middleware is the first, so that it reads results before another one shortens the conversation, and that no other one sees the tool
 * that answers blocked calls.
 */
function guardConfig(config: AgentConfigLike, options: GuardedAgentOptions): AgentConfigLike {
  const ours = createMiddleware(options);
  const { middleware = [] } = config;
  return middleware.some(({ name }) => name === NAME) ? config : { ...config, middleware: [ours, ...middleware] };
}

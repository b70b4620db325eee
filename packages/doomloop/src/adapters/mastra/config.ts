import type { ModelOutput } from "../../host/append-words.ts";

/** What a hook gets about a call. */
export interface HookContext {
  readonly toolName: string;
  readonly input: unknown;
  /** The {@link ToolContext} that the tool itself gets. */
  readonly context?: unknown;
}

/** The few fields of a tool's context that are read here. */
export interface ToolContext {
  readonly toolCallId?: string;
  readonly requestContext?: object;
  /** Saves the messages of the run so far, if the agent has a memory. */
  flushMessages?(): Promise<void>;
}

export interface ToolHooksLike {
  // biome-ignore lint/suspicious/noExplicitAny: Mastra's own context has more fields, and what the hook returns is passed on.
  beforeToolCall?: (context: any) => any;
}

/** A piece of a message to the model. */
export interface PartLike {
  readonly type: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly output?: ModelOutput;
}

/** A message as it goes to the model. */
export interface MessageLike {
  readonly role: string;
  readonly content: string | readonly PartLike[];
}

/** A call of an answer, before anything is done about it. */
export interface AskedCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly args?: unknown;
}

/** What a processor gets before a request to the model. */
export interface RequestArgs {
  readonly prompt: readonly MessageLike[];
  readonly stepNumber: number;
  /** One object for all requests of a run, and for all methods of the processor. */
  readonly state: object;
  readonly requestContext?: { get(key: string): unknown };
  abort(reason?: string, options?: { metadata?: unknown }): never;
}

/** What a processor gets when the model has answered, before tools run. */
export interface ResponseArgs {
  readonly chunks: readonly { readonly type: string; readonly payload?: unknown }[];
  readonly state: object;
  /** The context of the request. Several runs may share it. */
  readonly requestContext?: object;
}

// biome-ignore lint/suspicious/noExplicitAny: a list of processors, or a function that resolves one for a request.
export type ProcessorsLike = readonly any[] | ((context: any) => any) | undefined;

/** The configuration that `guard` accepts and returns, with whatever else an agent has. */
export interface GuardableConfig {
  /** Not read. TypeScript would reject a configuration without any known field, and every agent has a model. */
  readonly model?: unknown;
  readonly hooks?: ToolHooksLike | undefined;
  readonly inputProcessors?: ProcessorsLike;
  /** A memory, or a function that resolves one for a request. */
  // biome-ignore lint/suspicious/noExplicitAny: Mastra's own class, and the context that its function gets.
  readonly memory?: any;
  // biome-ignore lint/suspicious/noExplicitAny: agents by name, or a function that resolves them for a request.
  readonly agents?: Readonly<Record<string, any>> | ((context: any) => any) | undefined;
}

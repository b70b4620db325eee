/** What a hook is told of a call. */
export interface HookContext {
  readonly toolName: string;
  readonly input: unknown;
  /** What the tool itself is given: {@link ToolContext}. */
  readonly context?: unknown;
}

/** The few fields of a tool's context that are read here. */
export interface ToolContext {
  readonly toolCallId?: string;
  readonly requestContext?: object;
  /** Saves what the run has said so far, where the agent has a memory. */
  flushMessages?(): Promise<void>;
}

export interface ToolHooksLike {
  // biome-ignore lint/suspicious/noExplicitAny: the host's own context has more fields, and what it returns is passed on.
  beforeToolCall?: (context: any) => any;
}

/** A piece of a message to the model. */
export interface PartLike {
  readonly type: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly output?: OutputLike;
}

/** A result as the model reads it: `text`, `json`, `content`, and the same for errors. */
export interface OutputLike {
  readonly type: string;
  readonly value?: unknown;
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

/** What a processor is told before a request to the model. */
export interface RequestArgs {
  readonly prompt: readonly MessageLike[];
  readonly stepNumber: number;
  /** One object for all requests of a run, and for all methods of the processor. */
  readonly state: object;
  readonly requestContext?: { get(key: string): unknown };
  abort(reason?: string, options?: { metadata?: unknown }): never;
}

/** What a processor is told when the model has answered, before tools run. */
export interface ResponseArgs {
  readonly chunks: readonly { readonly type: string; readonly payload?: unknown }[];
  readonly state: object;
  /** One object for whatever belongs together in the host's eyes; several runs may share it. */
  readonly requestContext?: object;
}

// biome-ignore lint/suspicious/noExplicitAny: a list of processors, or a function that resolves one for a request.
export type ProcessorsLike = readonly any[] | ((context: any) => any) | undefined;

/** What `guarded` takes and gives back, with whatever else the configuration of an agent has. */
export interface GuardableConfig {
  /** Not read: an agent has one, and an object without any known field would be refused. */
  readonly model?: unknown;
  readonly hooks?: ToolHooksLike | undefined;
  readonly inputProcessors?: ProcessorsLike;
  /** A memory, or a function that resolves one for a request. */
  // biome-ignore lint/suspicious/noExplicitAny: the host's own class, and the context that its function is given.
  readonly memory?: any;
  // biome-ignore lint/suspicious/noExplicitAny: agents by name, or a function that resolves them for a request.
  readonly agents?: Readonly<Record<string, any>> | ((context: any) => any) | undefined;
}

/** What a hook is told of a call. */
export interface HookContext {
  readonly toolName: string;
  readonly input: unknown;
  /** What the tool itself is given. */
  readonly context?: unknown;
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

/** What a processor is told before a request to the model. */
export interface RequestArgs {
  readonly prompt: readonly MessageLike[];
  readonly stepNumber: number;
  readonly steps?: readonly { readonly content?: readonly PartLike[] }[];
  /** One object for all requests of a run. */
  readonly state: object;
  abort(reason?: string, options?: { metadata?: unknown }): never;
}

/** What a processor is told when the model has answered, before tools run. */
export interface ResponseArgs {
  readonly chunks: readonly { readonly type: string; readonly payload?: unknown }[];
  readonly state: object;
  /** One object for whatever belongs together in the host's eyes; several runs may share it. */
  readonly requestContext?: object;
}

/** What `guarded` takes and gives back, with whatever else the configuration of an agent has. */
export interface GuardableConfig {
  /** Not read: an agent has one, and an object without any known field would be refused. */
  readonly model?: unknown;
  readonly hooks?: ToolHooksLike | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: a list of processors, or a function that resolves one for a request.
  readonly inputProcessors?: readonly any[] | ((context: any) => any) | undefined;
}

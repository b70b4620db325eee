/** A call as the Messages API writes it, in an answer or as an event of a session. */
export interface ToolUseLike {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** A piece of an answer. A call that the provider ran is a `*_tool_use` and a `*_tool_result` in the same answer. */
export interface BlockLike {
  readonly type: string;
  readonly text?: string;
  readonly thinking?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly tool_use_id?: string;
  readonly toolset_name?: string | null;
  readonly content?: unknown;
  readonly is_error?: boolean | null;
}

export interface MessageLike {
  readonly role: string;
  readonly content: readonly object[];
  readonly stop_reason: string | null;
}

/** A message of the conversation, as it is sent. A system message may have only settings. */
export interface MessageParamLike {
  readonly role: string;
  readonly content?: string | readonly object[];
}

/** A streamed answer. */
export interface StreamLike {
  on(event: "finalMessage", listener: (message: MessageLike) => void): unknown;
  finalMessage(): Promise<MessageLike>;
}

/** The answer to a call. */
export interface ToolResultLike {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content?: unknown;
  readonly is_error?: boolean | undefined;
}

/** An entry of `tools`. Only an entry with `run` is run here. A toolset has `run` but no `name`. */
export interface ToolLike {
  readonly name?: string;
  readonly run?: unknown;
  readonly parse?: unknown;
}

/** What `run` gets about its call. */
export interface RunContext {
  readonly toolUse?: ToolUseLike;
  readonly signal?: unknown;
}

/** The parameters of a runner: `max_iterations` ends its loop before the next request. */
export interface RunnerParams {
  readonly tools?: readonly ToolLike[];
  readonly messages: readonly object[];
  readonly max_iterations?: number | undefined;
}

/** The few members of `BetaToolRunner` that are used here. */
export interface RunnerLike {
  readonly params: object;
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own parameters go in and out, and their type is not repeated here.
  setMessagesParams(params: any): void;
  // biome-ignore lint/suspicious/noExplicitAny: as above, for tools.
  addTools(...tools: any[]): void;
  generateToolResponse(): Promise<object | null>;
  [Symbol.asyncIterator](): AsyncIterator<object>;
}

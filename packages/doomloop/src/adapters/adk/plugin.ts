/** The few fields of ADK's invocation that are read here. An invocation is one message of the user and everything that follows from it. */
export interface InvocationLike {
  readonly invocationId: string;
  readonly session: { readonly id: string; readonly appName: string; readonly userId: string };
  /** The path to an agent that runs in parallel to others. */
  readonly branch?: string | undefined;
  readonly userContent?: { readonly parts?: readonly PartLike[] | undefined } | undefined;
}

export interface PartLike {
  readonly text?: string | undefined;
  /** Whether the text is reasoning rather than an answer. */
  readonly thought?: boolean | undefined;
  readonly functionCall?: object | undefined;
  readonly functionResponse?: FunctionResponseLike | undefined;
  readonly executableCode?: { readonly code?: string | undefined } | undefined;
  readonly codeExecutionResult?:
    | { readonly outcome?: string | undefined; readonly output?: string | undefined }
    | undefined;
}

export interface FunctionResponseLike {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  response?: Record<string, unknown> | undefined;
}

export interface EventLike {
  readonly author?: string | undefined;
  readonly partial?: boolean | undefined;
  readonly branch?: string | undefined;
  readonly content?: { readonly parts?: readonly PartLike[] | undefined } | undefined;
}

/** What a callback gets about the agent, and for a tool about the call. */
interface ContextLike {
  readonly invocationContext: InvocationLike;
  readonly functionCallId?: string | undefined;
  readonly actions: { escalate?: boolean | undefined };
}

interface ToolCallback {
  readonly tool: { readonly name: string };
  readonly toolArgs: Record<string, unknown>;
  readonly toolContext: ContextLike;
}

/** An answer of the model, or a piece of one in a stream. */
export interface ResponseLike {
  readonly partial?: boolean | undefined;
  readonly content?: { readonly parts?: readonly PartLike[] | undefined } | undefined;
}

/** An answer that replaces the model's. ADK creates no event for one that has neither content nor usage. */
export type AnswerLike =
  | { content: { role: string; parts: { text: string }[] }; customMetadata: Record<string, unknown> }
  | { usageMetadata: Record<string, never> };

type Idle = (parameters: object) => Promise<undefined>;

/** A plugin as ADK accepts it, without its base class. */
export interface AdkPlugin {
  readonly name: string;
  beforeModelCallback(parameters: { readonly callbackContext: ContextLike }): Promise<AnswerLike | undefined>;
  afterModelCallback(parameters: {
    readonly callbackContext: ContextLike;
    readonly llmResponse: ResponseLike;
  }): Promise<undefined>;
  beforeToolCallback(parameters: ToolCallback): Promise<Record<string, unknown> | undefined>;
  onToolErrorCallback(parameters: ToolCallback): Promise<undefined>;
  onEventCallback(parameters: {
    readonly invocationContext: InvocationLike;
    readonly event: EventLike;
  }): Promise<undefined>;
  beforeNodeCallback(parameters: {
    readonly nodeContext: { readonly invocationContext: InvocationLike };
  }): Promise<string | undefined>;
  afterContextCompaction(parameters: { readonly invocationContext: InvocationLike }): Promise<undefined>;
  readonly onUserMessageCallback: Idle;
  readonly beforeRunCallback: Idle;
  readonly afterRunCallback: Idle;
  readonly beforeAgentCallback: Idle;
  readonly afterAgentCallback: Idle;
  readonly afterNodeCallback: Idle;
  readonly onModelErrorCallback: Idle;
  readonly beforeToolSelection: Idle;
  readonly beforeContextCompaction: Idle;
  readonly afterToolCallback: Idle;
}

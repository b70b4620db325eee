// biome-ignore lint/suspicious/noExplicitAny: the framework declares constructors like this, and they take a closed union of its own classes.
export type Class<Instance> = new (...data: any[]) => Instance;

/**
 * The classes of `@strands-agents/sdk` that are used. Strands finds hooks by the classes of its events, so the package is passed in.
 */
export interface StrandsPackage {
  readonly MessageAddedEvent: Class<MessageAdded>;
  readonly BeforeModelCallEvent: Class<object>;
  readonly AfterModelCallEvent: Class<AfterModelCall>;
  readonly BeforeToolCallEvent: Class<BeforeToolCall>;
  readonly AfterToolCallEvent: Class<AfterToolCall>;
  readonly AfterToolsEvent: Class<AfterTools>;
  readonly TextBlock: new (text: string) => Block;
  readonly ToolResultBlock: Class<ToolResult>;
  /** These three are in `@strands-agents/sdk/multiagent`. They are needed only to guard a swarm. */
  readonly BeforeNodeCallEvent?: Class<BeforeNodeCall>;
  readonly NodeStreamUpdateEvent?: Class<NodeUpdate>;
  readonly NodeResultEvent?: Class<NodeResult>;
}

/** Each invocation of a swarm has one state object. */
export interface BeforeNodeCall {
  readonly state: object;
  cancel: boolean | string;
}

/** An event of an agent in a swarm. */
export interface NodeUpdate {
  readonly state: object;
  readonly inner: { readonly event: unknown };
}

/** The result of an agent in a swarm: which agent it hands off to, and with what. */
export interface NodeResult {
  readonly nodeId: string;
  readonly state: object;
  readonly result: { readonly structuredOutput?: unknown };
}

/** A piece of a message or of a result. */
interface Block {
  readonly type: string;
}

export interface Message {
  readonly role: string;
  readonly content: readonly Block[];
}

export interface ToolResult {
  readonly toolUseId: string;
  readonly status: string;
  readonly content: readonly Block[];
  readonly error?: Error;
}

export interface ToolUse {
  readonly name: string;
  readonly toolUseId: string;
  readonly input?: unknown;
}

export interface MessageAdded {
  readonly message: Message;
}

/** `stopData` is missing if the model failed. */
export interface AfterModelCall {
  readonly stopData?: { readonly message: Message };
  readonly retry?: boolean;
}

export interface BeforeToolCall {
  readonly toolUse: ToolUse;
  readonly tool: { readonly toolSpec: { readonly annotations?: { readonly readOnlyHint?: unknown } } } | undefined;
  cancel: boolean | string;
}

export interface AfterToolCall {
  readonly agent: { readonly cancelSignal?: unknown };
  readonly toolUse: ToolUse;
  readonly retry?: boolean;
  result: ToolResult;
}

export interface AfterTools {
  endTurn: unknown;
}

/** The agent that a plugin is attached to. */
export interface AgentLike {
  // biome-ignore lint/suspicious/noExplicitAny: the framework takes only classes of its own events, with a callback for each.
  addHook(eventType: any, callback: any, options?: { order?: number }): unknown;
}

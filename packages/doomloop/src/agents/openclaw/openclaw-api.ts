/** Which run of which session something belongs to. */
export interface OpenclawContext {
  readonly sessionId?: string | undefined;
  readonly runId?: string | undefined;
  readonly workspaceDir?: string | undefined;
}

interface ToolCall {
  readonly toolName: string;
  readonly toolCallId?: string | undefined;
}

/** What a tool came back with. */
interface OpenclawResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}

export interface OpenclawResultEvent extends ToolCall {
  readonly args: object;
  readonly cwd?: string | undefined;
  readonly isError?: boolean | undefined;
  readonly result: OpenclawResult;
}

/** What OpenClaw hands to a plugin: the part that ours needs. */
export interface OpenclawApi {
  readonly pluginConfig?: Readonly<Record<string, unknown>> | undefined;
  on(
    event: "before_tool_call",
    handler: (
      call: ToolCall & { readonly params: object },
      context: OpenclawContext,
    ) => Promise<{ readonly block: true; readonly blockReason: string } | undefined>,
  ): void;
  on(event: "after_compaction", handler: (event: object, context: OpenclawContext) => Promise<unknown>): void;
  registerAgentToolResultMiddleware(
    handler: (
      event: OpenclawResultEvent,
      context: OpenclawContext,
    ) => Promise<{ readonly result: OpenclawResult } | undefined>,
    options: { readonly runtimes: readonly ["openclaw"] },
  ): void;
}

/** What opencode hands to a plugin: the part that ours needs. */
export interface OpencodeInput {
  readonly client: {
    readonly session: { abort(options: { readonly path: { readonly id: string } }): Promise<unknown> };
  };
  readonly directory: string;
}

interface ToolMoment {
  readonly tool: string;
  readonly sessionID: string;
  readonly callID: string;
}

interface OpencodeEvent {
  readonly type: string;
  readonly properties?: {
    readonly sessionID?: string;
    readonly part?: {
      readonly type: string;
      readonly sessionID?: string;
      readonly tool?: string;
      readonly callID?: string;
      readonly state?: { readonly status: string; readonly input?: unknown; readonly error?: unknown };
    };
  };
}

/** What opencode calls of a plugin. */
export interface OpencodeHooks {
  "tool.execute.before"(input: ToolMoment, output: { readonly args: unknown }): Promise<void>;
  "tool.execute.after"(
    input: ToolMoment & { readonly args?: unknown },
    output: { output: unknown; readonly metadata?: unknown },
  ): Promise<void>;
  "chat.message"(
    input: { readonly sessionID: string },
    output: { readonly parts: readonly { readonly type: string; readonly text?: string }[] },
  ): Promise<void>;
  event(input: { readonly event: OpencodeEvent }): Promise<void>;
}

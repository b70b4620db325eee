import type { LoopStop } from "../../host/host-options.ts";

/** A tool call of the model; its arguments are JSON text, or what that text says. */
export interface ToolCallLike {
  readonly callId: string;
  readonly name: string;
  readonly arguments: unknown;
}

/**
 * The answer of a tool's guardrail. `rejectContent` replaces the call, or its output, by a message; `throwException` rejects the
 * run. The SDK passes `outputInfo` on in its results and errors.
 */
export interface GuardrailAnswer {
  behavior: { type: "allow" } | { type: "rejectContent"; message: string } | { type: "throwException" };
  outputInfo?: LoopStop;
}

/** What a tool's guardrail gets. A whole run has one context object; an agent that is a tool runs in the context of its caller. */
export interface GuardrailData {
  readonly context: object;
  readonly agent: object;
  readonly toolCall: ToolCallLike;
  readonly output?: unknown;
}

/** The few fields of a tool that are read here. Only tools of type `function` have guardrails. */
export interface ToolLike {
  readonly type: string;
  readonly name?: string;
  /** Whether a human must approve a call. */
  needsApproval?: unknown;
  readonly outputSchema?: unknown;
  inputGuardrails?: unknown[] | undefined;
  outputGuardrails?: unknown[] | undefined;
}

/** The result of a call, as `toolUseBehavior` gets it. */
export interface ToolResultLike {
  readonly type: string;
  readonly tool: { readonly name: string };
  readonly output?: unknown;
}

/** Whether the run continues after a round of tool calls. */
export type FinalOutput =
  | { isFinalOutput: false; isInterrupted: undefined }
  | { isFinalOutput: true; isInterrupted: undefined; finalOutput: string };

/** Decides whether the run continues: a keyword, names of tools, or a function. */
export type ToolUseBehavior =
  | "run_llm_again"
  | "stop_on_first_tool"
  | { readonly stopAtToolNames: readonly string[] }
  | ((context: object, results: readonly ToolResultLike[]) => FinalOutput | PromiseLike<FinalOutput>);

/** A piece of the conversation, as the next request to the model has it. */
export interface ItemLike {
  readonly type?: string | undefined;
  readonly role?: string | undefined;
  readonly content?: unknown;
  readonly callId?: string | undefined;
  readonly name?: string | undefined;
  readonly arguments?: string | undefined;
  readonly output?: unknown;
}

/** The few fields of an agent that are read here, and those that are replaced: `toolUseBehavior`, and the three methods that a request is built with. */
export interface AgentLike {
  readonly tools: readonly { readonly type: string }[];
  readonly handoffs: readonly object[];
  readonly outputType: unknown;
  toolUseBehavior: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own types of context and span are not repeated here.
  getAllTools(context: any, span?: any): Promise<readonly { readonly type: string }[]>;
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own type of context is not repeated here.
  getEnabledHandoffs(context: any): Promise<readonly object[]>;
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own type of context is not repeated here.
  getSystemPrompt(context: any): Promise<string | undefined>;
  on(
    type: "agent_start" | "agent_end" | "agent_handoff" | "agent_tool_end",
    // biome-ignore lint/suspicious/noExplicitAny: the SDK has a list of arguments for each event.
    listener: (...details: any[]) => void,
  ): unknown;
}

/** A call of a tool, as a hook is told of it. */
export interface HookCall {
  /** The agent's, or one that is made of the call itself where it gives none. */
  readonly id: string;
  readonly tool: string;
  readonly args: unknown;
}

/** What happened, whichever agent tells it and however. */
export type HookMoment =
  /** Before a call runs. */
  | { readonly type: "call"; readonly call: HookCall }
  /** After it ran. `error`: whether it failed, where the agent knows. */
  | { readonly type: "result"; readonly call: HookCall; readonly output: unknown; readonly error: boolean | undefined }
  /** All calls of an answer are over, refused ones included. */
  | { readonly type: "batch"; readonly results: readonly { readonly call: HookCall; readonly output: unknown }[] }
  /** The user spoke. */
  | { readonly type: "user"; readonly text: string | undefined }
  /** Another agent gives this one its task: to it, that is the user. */
  | { readonly type: "task" }
  /** A whole answer without a call, after which the agent goes on all the same. */
  | { readonly type: "answer"; readonly text: string }
  | { readonly type: "compaction" };

/** What a hook is told. Read from JSON that someone else wrote: nothing of it is believed. */
export interface HookInput {
  /** The agent's own name for the event; some want it back. */
  readonly event: string;
  readonly session: string;
  /** Subagents share their session's id. */
  readonly agent: string | undefined;
  /** The folder that the agent works in. */
  readonly folder: string | undefined;
  readonly moment: HookMoment;
  /** Whether a person is there, whom the agent would ask at our word. */
  readonly canAsk: boolean;
}

/** The few fields of an AI SDK tool that are read here. Everything else is passed on unchanged. */
export interface ToolLike {
  execute?: unknown;
  toModelOutput?: unknown;
  needsApproval?: unknown;
}

/** The options of `execute`. All calls of one step get the same list of messages; the next step gets another. */
export interface ExecuteOptions {
  readonly toolCallId: string;
  readonly messages: readonly MessageLike[];
  readonly abortSignal?: unknown;
}

export interface MessageLike {
  readonly role: string;
  readonly content: unknown;
}

/** A piece of an answer. In messages and in steps, the `input` of a call is the same object that the tool got. */
export interface PartLike {
  readonly type: string;
  readonly text?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly error?: unknown;
  readonly preliminary?: boolean;
  /** Whether the SDK rejected the arguments of the call. */
  readonly invalid?: boolean;
  readonly providerExecuted?: boolean | undefined;
}

export interface StepLike {
  readonly content: readonly PartLike[];
}

/** A condition that ends the loop. The type of its steps belongs to the SDK and is not repeated here. */
// biome-ignore lint/suspicious/noExplicitAny: the SDK infers the type of steps from the tools, and accepts a condition on any.
export type StopCondition = (options: any) => boolean | PromiseLike<boolean>;

/** Prepares a step, or the call of an agent. What it returns overrides the settings of the run. */
// biome-ignore lint/suspicious/noExplicitAny: the SDK infers the types of steps and settings from the tools.
export type Prepare = (options: any) => any;

/**
 * Any value. Its only purpose is to keep literal types, as the SDK's own settings do: in `{ activeTools: ["search"] }`, the name of
 * a tool is not just a string.
 */
type Written = Text | number | boolean | bigint | null | undefined | object | WrittenList | WrittenFields;
type Text = "" | (string & Record<never, never>);
interface WrittenList extends ReadonlyArray<Written> {}
interface WrittenFields {
  readonly [key: string]: Written;
}

/** A function of the caller that the SDK calls. */
// biome-ignore lint/suspicious/noExplicitAny: the SDK knows what it passes.
type Asked = (...parameters: any[]) => Written | PromiseLike<Written>;

/** Which calls need approval: one function for all tools, or an entry for each tool. */
type ToolApproval = Asked | { readonly [tool: string]: Text | WrittenFields | Asked | undefined };

/**
 * Misspellings that nothing reads. With one of them, a run would never be ended, and nothing would say why. Other unknown names are
 * accepted, because callers may pass all settings of a run.
 */
interface Mistaken {
  readonly stopwhen?: never;
  readonly stopWhens?: never;
  readonly stopCondition?: never;
  readonly stopConditions?: never;
  /** The option of `ai` 4. */
  readonly maxSteps?: never;
  readonly preparestep?: never;
  readonly prepareSteps?: never;
  readonly toolapproval?: never;
  readonly toolApprovals?: never;
}

/** The settings that `guard` accepts and returns, with whatever else the caller has in the same object. */
export interface GuardableSettings extends Mistaken {
  readonly tools?: object | undefined;
  readonly stopWhen?: StopCondition | StopCondition[] | undefined;
  /** The option of agents. Needed without `stopWhen`, so that a WorkflowAgent can be ended. */
  readonly prepareCall?: Asked | undefined;
  /** Needed only for {@link AiSdkOptions.finalReport}. */
  readonly prepareStep?: Asked | undefined;
  /** The option of `ai` 7. Needed so that nobody is asked about a call that the guard refuses. */
  readonly toolApproval?: ToolApproval | undefined;
  /** The name of `prepareStep` in earlier code for `ai` 6. */
  readonly experimental_prepareStep?: Prepare | undefined;
}

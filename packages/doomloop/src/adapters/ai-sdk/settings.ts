/** The few fields of an AI SDK tool that are read here; everything else is passed on as it is. */
export interface ToolLike {
  execute?: unknown;
  toModelOutput?: unknown;
  needsApproval?: unknown;
}

/** What `execute` is told of the call: the same list of messages for all calls of one step, another for the next. */
export interface ExecuteOptions {
  readonly toolCallId: string;
  readonly messages: readonly MessageLike[];
  readonly abortSignal?: unknown;
}

export interface MessageLike {
  readonly role: string;
  readonly content: unknown;
}

/** A piece of an answer. Calls keep the very object that the tool was given as `input`, in messages and in steps. */
export interface PartLike {
  readonly type: string;
  readonly text?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly error?: unknown;
  readonly preliminary?: boolean;
  /** The host refused its arguments. */
  readonly invalid?: boolean;
  readonly providerExecuted?: boolean | undefined;
}

export interface StepLike {
  readonly content: readonly PartLike[];
}

/** A condition on which the loop ends. Its steps are the host's: their type is not repeated here. */
// biome-ignore lint/suspicious/noExplicitAny: the host infers the steps' type from its tools, and takes any condition of any.
type StopCondition = (options: any) => boolean | PromiseLike<boolean>;

/** Prepares a step: what it gives back goes before the settings of the run. */
// biome-ignore lint/suspicious/noExplicitAny: the host infers the types of steps and settings from its tools.
export type PrepareStep = (options: any) => any;

/** What `guarded` takes and gives back, with whatever else the caller has in the same object. */
export interface GuardableSettings {
  readonly tools?: object | undefined;
  readonly stopWhen?: StopCondition | StopCondition[] | undefined;
  /** Needed here for {@link GuardedOptions.finalReport} only. */
  readonly prepareStep?: PrepareStep | undefined;
  /** Who must agree to which calls, in `ai` 7. Needed here so that nobody is asked about a call that the guard refuses. */
  readonly toolApproval?: unknown;
  /** The name of `prepareStep` in earlier code for `ai` 5 and 6. */
  readonly experimental_prepareStep?: PrepareStep | undefined;
}

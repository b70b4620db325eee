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

/**
 * Any value. Its only use is that words written in place keep their types, as they do in the host's own settings: in
 * `{ activeTools: ["search"] }` the name of a tool is no mere string.
 */
type Written = Text | number | boolean | bigint | null | undefined | object | WrittenList | WrittenFields;
type Text = "" | (string & Record<never, never>);
interface WrittenList extends ReadonlyArray<Written> {}
interface WrittenFields {
  readonly [key: string]: Written;
}

/** A function of the caller's, for the host to ask. */
// biome-ignore lint/suspicious/noExplicitAny: the host knows what it passes.
type Asked = (...parameters: any[]) => Written | PromiseLike<Written>;

/** Who must agree to which calls: one function for all tools, or a line for each. */
type ToolApproval = Asked | { readonly [tool: string]: Text | WrittenFields | Asked | undefined };

/**
 * Names that nobody reads and that people write. A run with one of them would never be ended, and nothing would say why. Other names
 * are the host's to know: whoever passes all settings of a run passes many that are not listed here.
 */
interface Mistaken {
  readonly stopwhen?: never;
  readonly stopWhens?: never;
  readonly stopCondition?: never;
  readonly stopConditions?: never;
  /** Of `ai` 4. */
  readonly maxSteps?: never;
  readonly preparestep?: never;
  readonly prepareSteps?: never;
  readonly toolapproval?: never;
  readonly toolApprovals?: never;
}

/** What `guarded` takes and gives back, with whatever else the caller has in the same object. */
export interface GuardableSettings extends Mistaken {
  readonly tools?: object | undefined;
  readonly stopWhen?: StopCondition | StopCondition[] | undefined;
  /** Needed here for {@link GuardedOptions.finalReport} only. */
  readonly prepareStep?: Asked | undefined;
  /** Of `ai` 7. Needed here so that nobody is asked about a call that the guard refuses. */
  readonly toolApproval?: ToolApproval | undefined;
  /** The name of `prepareStep` in earlier code for `ai` 5 and 6. */
  readonly experimental_prepareStep?: PrepareStep | undefined;
}

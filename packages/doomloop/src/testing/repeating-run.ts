import { MESSAGE_PREFIX } from "../core/message-prefix.ts";
import { findText } from "./find-text.ts";

/** A tool call of the scripted model, for you to put into the words of your framework. */
export interface RepeatedCall {
  /** Another one each time, as models do it. */
  readonly id: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Which call a scripted model makes again and again. */
export interface RepeatingRunOptions {
  /**
   * The tool that is called again and again. It should give the same output each time.
   * @default "look_up"
   */
  readonly tool?: string;
  /** @default { query: "the same" } */
  readonly args?: Readonly<Record<string, unknown>>;
  /**
   * Calls after which the model gives up by itself. More than a guard needs to speak, whatever the tool answers.
   * @default 20
   */
  readonly calls?: number;
}

/** What the scripted model saw of the guard. */
export interface GuardSigns {
  /** How often the model was asked. */
  readonly requests: number;
  /** The first request, from 1, that held words of the guard; undefined if none did. */
  readonly nudgedAt: number | undefined;
  /** The first request, from 1, that said that a call was not run. */
  readonly blockedAt: number | undefined;
  /** The run ended before the model gave up. */
  readonly isStopped: boolean;
}

/** A model that does not listen: it makes the same call until it gives up, and looks for the guard in what it is asked. */
export interface RepeatingRun {
  /** The model's next call. Pass what the model was asked with. Undefined: the model gives up, and answers with text. */
  next(request: unknown): RepeatedCall | undefined;
  signs(): GuardSigns;
}

const NOT_RUN = "This call was not run.";

/** Creates the script of one run. */
export function createRepeatingRun(options: RepeatingRunOptions = {}): RepeatingRun {
  const { tool = "look_up", args = { query: "the same" }, calls = 20 } = options;
  let requests = 0;
  let nudgedAt: number | undefined;
  let blockedAt: number | undefined;
  return {
    next(request) {
      requests++;
      if (nudgedAt === undefined && findText(request, MESSAGE_PREFIX)) nudgedAt = requests;
      if (blockedAt === undefined && findText(request, NOT_RUN)) blockedAt = requests;
      return requests > calls ? undefined : { id: `call-${requests}`, tool, args };
    },
    signs: () => ({ requests, nudgedAt, blockedAt, isStopped: requests > 0 && requests <= calls }),
  };
}

import { OPENINGS } from "../core/messages/wording.ts";
import { MESSAGE_PREFIX } from "../core/reading/result.ts";

/** A tool call of the scripted model. Translate it into the form that your framework expects. */
interface RepeatedCall {
  /** Different each time, as with real models. */
  readonly id: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The call that the scripted model repeats. */
export interface RepeatingRunOptions {
  /**
   * The tool that the model calls. It should return the same output each time.
   * @default "look_up"
   */
  readonly tool?: string;
  /** @default { query: "the same" } */
  readonly args?: Readonly<Record<string, unknown>>;
  /**
   * After this many calls, the model gives up. The default is enough for a guard to react, whatever the tool answers.
   * @default 20
   */
  readonly calls?: number;
}

/** What the scripted model saw of the guard. */
export interface GuardSigns {
  /** The number of requests to the model. */
  readonly requests: number;
  /** The first request, counted from 1, that contained words of the guard; undefined if none did. */
  readonly nudgedAt: number | undefined;
  /** The first request, counted from 1, that said that a call was not run; undefined if none did. */
  readonly blockedAt: number | undefined;
  /** Whether the run ended before the model gave up. */
  readonly isStopped: boolean;
}

/** A scripted model that ignores the guard. It repeats one call until it gives up, and looks for words of the guard in each request. */
export interface RepeatingRun {
  /** Returns the model's next call for a request. Undefined means that the model gives up and answers with text. */
  next(request: unknown): RepeatedCall | undefined;
  signs(): GuardSigns;
}

const NOT_RUN = `${MESSAGE_PREFIX} ${OPENINGS.refused}`;

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

const MAX_VALUES = 1_000_000;

/** Whether a text occurs anywhere in a value. Handles cycles, and calls no getters. */
function findText(value: unknown, text: string): boolean {
  const seen = new Set<unknown>();
  const pending: unknown[] = [value];
  while (pending.length > 0 && seen.size < MAX_VALUES) {
    const next = pending.pop();
    if (typeof next === "string" && next.includes(text)) return true;
    if (typeof next !== "object" || next === null || seen.has(next)) continue;
    seen.add(next);
    for (const descriptor of Object.values(Object.getOwnPropertyDescriptors(next))) pending.push(descriptor.value);
  }
  return false;
}

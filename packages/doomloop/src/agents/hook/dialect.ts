import { digestOf } from "../../core/identity/digest.ts";
import type { HostAbilities } from "../../host/abilities.ts";
import type { ForeignRecord } from "../../transcripts/foreign-value.ts";

/** What one agent tells its hooks, and which answers it understands. */
export interface Dialect {
  /** What the agent lets a hook do when nobody watches. */
  readonly abilities: HostAbilities;
  /** Whether the agent says when all calls of an answer are over. */
  readonly tellsRounds: boolean;
  /**
   * What a hook can do when a turn ends and the agent, or another hook, would start the next one.
   * @default nothing; words wait for the next event that can take them
   */
  readonly turnEnd?: TurnAbilities;
  /**
   * What a hook can do when the user's prompt arrives.
   * @default nothing
   */
  readonly prompt?: TurnAbilities;
  /**
   * An input without a name is compared with agents in the order of this number. It is higher for an agent whose inputs look like those of
   * others.
   * @default 0
   */
  readonly askedLate?: number;
  /** Whether an input comes from this agent. Asked only if the hook was not told the agent's name. */
  isOf(input: ForeignRecord): boolean;
  /** Reads an event. Null for one that does not matter, undefined for one that it does not know. */
  read(input: ForeignRecord): HookInput | null | undefined;
  /** The answer as JSON, with only those fields that the agent knows. Undefined if nothing is to be printed. */
  write(answer: HookAnswer, input: HookInput): object | undefined;
  /**
   * Variables in which the agent's environment says something about the run. Their values have letters, digits, dots and dashes.
   * @default none
   */
  readonly variables?: readonly string[];
  /** Whether somebody watches the run and can be asked, if the agent says so. */
  attendance?(env: HookEnvironment, input: ForeignRecord): "attended" | "unattended" | undefined;
  /** Which session the agent wants a status line for, if it has one. */
  readStatus?(input: ForeignRecord): StatusInput;
}

/** What a hook can do between two turns. */
export interface TurnAbilities {
  /** Whether it can add words that the model reads. */
  readonly words: boolean;
  /** Whether it can keep the next turn from happening. */
  readonly end: boolean;
  /** How an agent that is told to go on until it is done can say that it is done, or cannot go on. */
  readonly wayOut?: string;
  /**
   * How a person lets an agent go on that was kept from it.
   * @default "To go on, write to the agent."
   */
  readonly goOn?: string;
}

export type HookEnvironment = Readonly<Record<string, string | undefined>>;

interface StatusInput {
  readonly session: string | undefined;
  readonly folder: string | undefined;
}

/** A call of a tool, as a hook is told of it. */
export interface HookCall {
  /** The agent's id, or `contentId` if it has none. */
  readonly id: string;
  readonly tool: string;
  readonly args: unknown;
}

/** The result of one call of an answer. `error`: whether it failed, if the agent knows. */
export interface BatchResult {
  readonly call: HookCall;
  readonly output: unknown;
  readonly error?: boolean | undefined;
}

/** What happened, in the same form for every agent. */
export type HookMoment =
  /** A call is about to run. */
  | { readonly type: "call"; readonly call: HookCall }
  /** A call has run. `error`: whether it failed, if the agent knows. */
  | { readonly type: "result"; readonly call: HookCall; readonly output: unknown; readonly error: boolean | undefined }
  /** All calls of an answer are over, including refused ones and those that the agent rejected before any other event. */
  | { readonly type: "batch"; readonly results: readonly BatchResult[] }
  /**
   * The user spoke. `id`: the agent's id of the prompt, if it has one. `isOfHost`: whether the agent itself or another hook spoke, if the
   * agent says so. `isUnsure`: it says so only when the turn ends.
   */
  | {
      readonly type: "user";
      readonly text: string | undefined;
      readonly id?: string | undefined;
      readonly isOfHost?: boolean | undefined;
      readonly isUnsure?: boolean;
    }
  /** Another agent gave this one its task, which counts as words of the user. */
  | { readonly type: "task" }
  /**
   * A turn ended, with these last words. `isAppended`: those of the turns before, back to the user's, come first. `isOwn`: if the
   * user did not ask for it, the agent itself has started it, and not another hook. `isContinued`: another hook has started it, by what the
   * agent says. `prompt`: what the user said last.
   */
  | {
      readonly type: "turn";
      readonly text: string;
      readonly isAppended?: boolean;
      readonly isOwn?: boolean;
      readonly isContinued?: boolean;
      readonly prompt?: string | undefined;
    }
  | { readonly type: "compaction" };

/** One event. It comes from JSON that somebody else wrote, so nothing in it is trusted. */
export interface HookInput {
  /** The agent's name for the event. Some agents want it in the answer. */
  readonly event: string;
  readonly session: string;
  /** The subagent's id. Subagents share the id of their session. */
  readonly agent: string | undefined;
  /** The folder that the agent works in. */
  readonly folder: string | undefined;
  readonly moment: HookMoment;
  /** What the model reads about a call that failed, if the agent drops words that are appended to it. */
  readonly failure?: string | undefined;
  /** Whether the agent would ask a person if we told it to. */
  readonly canAsk: boolean;
}

/** What a hook answers, in the same form for every agent. */
export type HookAnswer =
  | { readonly type: "nothing" }
  /** Words to the model, appended to the result. `isStartOver`: they give the run its second chance. */
  | { readonly type: "words"; readonly words: string; readonly isStartOver?: boolean }
  /** The call must not run. `isEnd`: the run is over, too. `isStartOver`: the words give it its second chance. */
  | {
      readonly type: "refusal";
      readonly words: string;
      readonly isEnd: boolean;
      readonly explanation: string;
      readonly isStartOver?: boolean;
    }
  /** The person is asked whether the call may run. */
  | { readonly type: "question"; readonly question: string }
  /** The run is over. When a turn ends: no other follows by itself. */
  | { readonly type: "end"; readonly explanation: string }
  /** The run should be over, but no hook can end it: only the person is told. */
  | { readonly type: "alarm"; readonly explanation: string };

export const NOTHING: HookAnswer = { type: "nothing" };

/** An id for a call of an agent that has none. Its result names the same tool and arguments. */
export function contentId(tool: string, args: unknown): string {
  return digestOf(`${tool} ${JSON.stringify(args)}`);
}

import { join } from "node:path";
import { recordOf } from "../../transcripts/foreign-value.ts";
import { hookedAgentOf } from "../index.ts";
import { openJournal } from "../journal/journal.ts";
import { countNudges } from "./count-nudges.ts";
import type { HookAnswer, HookEnvironment, HookInput } from "./dialect.ts";
import { type FolderRules, folderRules } from "./folder-rules.ts";
import { HOOK_STATE_VERSION, type HookSettings, type HookState } from "./hook-state.ts";
import { countMissedEvents, noteMissedEvent } from "./missed-events.ts";
import type { RollbackFollowUp, RollbackPoint } from "./rollback.ts";
import { runHook } from "./run-hook.ts";

/** Who is asking, and how. */
interface EventSource {
  /**
   * The name of the agent.
   * @default guessed from the input
   */
  readonly host?: string | undefined;
  readonly isUnattended: boolean;
  /**
   * Whether a run may start over.
   * @default false
   */
  readonly startsOver?: boolean;
  /**
   * The environment in which the agent started the hook.
   * @default empty
   */
  readonly env?: HookEnvironment | undefined;
  /**
   * Nobody can be asked, whatever the agent says about itself.
   * @default false
   */
  readonly isHeadless?: boolean | undefined;
  /** How long to wait for other hooks of the same agent, in milliseconds. */
  readonly budgetMs: number;
}

interface AnswerEventOptions extends EventSource {
  /** The folder of what hooks keep. */
  readonly state: string;
}

interface HandleHookOptions extends EventSource {
  /** The folder of the runs. */
  readonly directory: string;
  /** What a person has allowed in the folder that the agent works in. */
  readonly rulesOf: (folder: string | undefined) => FolderRules;
  readonly reportFault: (fault: unknown) => void;
}

/** What to print, and what to count. */
export interface HandledEvent {
  readonly output: object | undefined;
  readonly host: string;
  readonly answer: HookAnswer["type"];
  readonly nudges: { readonly obeyed: number; readonly ignored: number };
  readonly followUp?: HookFollowUp;
}

/** What to do with the files now. If that fails, the agent gets `output`. */
export type HookFollowUp =
  | {
      readonly type: "checkpoint";
      /** The top of the workspace or a folder in it, if the agent named one. */
      readonly folder: string | undefined;
      /** Whether the checkpoint is for the user's prompt, not for a loop that the agent is told about. */
      readonly isPrompt: boolean;
      /** Remembers the checkpoint, unless the user has spoken again. */
      keep(point: RollbackPoint): void;
    }
  | (Extract<RollbackFollowUp, { type: "restore" }> & {
      /** What to print afterwards. `hasPutBack`: files were changed, which the person should know. */
      write(words: string, hasPutBack: boolean): object | undefined;
    });

const SILENCE = { output: undefined };
const NOTICE =
  "doomloop: the agent went in circles, so its files were put back to where they were at the latest prompt. `doomloop undo` takes that back.";

/** Answers one event of a coding agent, usually with nothing. Never throws. */
export function answerEvent(value: unknown, options: AnswerEventOptions): Pick<HandledEvent, "output" | "followUp"> {
  const { state, ...source } = options;
  const directory = join(state, "runs");
  try {
    const handled = handleHookEvent(value, {
      ...source,
      directory,
      rulesOf: (folder) => folderRules(state, folder),
      reportFault: () => {},
    });
    if (handled !== undefined) countQuietly(() => countNudges(state, handled, Date.now()));
    return handled ?? SILENCE;
  } catch {
    noteMissedEvent(directory);
    return SILENCE;
  }
}

/** Reads an event, resumes its run from the journal and saves the run again. Undefined if there is nothing to say. */
export function handleHookEvent(value: unknown, options: HandleHookOptions): HandledEvent | undefined {
  const { directory, isUnattended, startsOver = false, env = {}, isHeadless = false, budgetMs, reportFault } = options;
  const input = recordOf(value);
  const agent = input && hookedAgentOf(input, options.host);
  const told = input && agent?.hook.read(input);
  if (agent === undefined || told === undefined) return undefined;
  const { name: host, hook: dialect } = agent;
  const canAsk = told.canAsk && !isHeadless && dialect.isHeadless?.(env) !== true;
  const read: HookInput = { ...told, canAsk };
  const { isOff, tools, allowedAt } = options.rulesOf(read.folder);
  if (isOff) return undefined;
  const settings = (): HookSettings => ({
    isUnattended,
    startsOver,
    guardOptions: { tools },
    allowedAt,
    now: Date.now(),
    missedEvents: countMissedEvents(directory),
    reportFault,
  });
  const journal = openJournal<HookState>({ directory, session: read.session, agent: read.agent ?? "", budgetMs });
  const kept = journal.update((saved) => {
    const { state, ...result } = runHook(read, dialect, settings(), readable(saved));
    return { state, result };
  });
  // A decision that was not saved is not given either, because the next event would not know about it.
  if (!kept.isKept) {
    noteMissedEvent(directory);
    reportFault(kept.fault);
    return undefined;
  }
  const { answer, nudges, followUp } = kept.result;
  const said = { output: dialect.write(answer, read), host, answer: answer.type, nudges };
  if (followUp === undefined) return said;
  if (followUp.type === "checkpoint") {
    const { prompt, loop, root = read.folder } = followUp;
    const keep = (point: RollbackPoint) =>
      void journal.update((saved) => withPoint(readable(saved), { prompt, loop }, point));
    return { ...said, followUp: { type: followUp.type, folder: root, isPrompt: loop === undefined, keep } };
  }
  const write = (words: string, hasPutBack: boolean) => {
    const explanation = "The run starts over.";
    const isCall = read.moment.type === "call";
    const more = hasPutBack ? { notice: NOTICE } : {};
    return dialect.write(
      isCall ? { type: "refusal", words, isEnd: false, explanation, ...more } : { type: "words", words, ...more },
      read,
    );
  };
  return { ...said, followUp: { ...followUp, write } };
}

interface PointPlace {
  readonly prompt: number;
  readonly loop: string | undefined;
}

function withPoint(state: HookState | undefined, { prompt, loop }: PointPlace, point: RollbackPoint) {
  const known = state?.rollback;
  if (state === undefined || known?.prompt !== prompt) return { result: undefined };
  const rollback = loop === undefined ? { prompt, point } : { ...known, told: { loop, checkpoint: point.checkpoint } };
  return { result: undefined, state: { ...state, rollback } };
}

/** A state that another version saved is not used. */
function readable(saved: HookState | undefined): HookState | undefined {
  return saved?.version === HOOK_STATE_VERSION ? saved : undefined;
}

/** A count that cannot be written does not keep the hook from answering. */
function countQuietly(action: () => void): void {
  try {
    action();
  } catch {
    // The disk is full, or belongs to somebody else.
  }
}

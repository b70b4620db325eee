import { type ForeignRecord, recordOf } from "../../transcripts/foreign-value.ts";
import { dialectOf } from "../dialects.ts";
import { openJournal } from "../journal/journal.ts";
import type { HookHost } from "./dialect.ts";
import type { FolderRules } from "./folder-rules.ts";
import type { HookAnswer } from "./hook-answer.ts";
import type { HookInput } from "./hook-input.ts";
import type { HookSettings, HookState } from "./hook-state.ts";
import { countUnheard, noteUnheard } from "./missed-events.ts";
import type { WayBackErrand, WayBackPoint } from "./rollback.ts";
import { runHook } from "./run-hook.ts";

export interface KeepHookOptions {
  /** The folder of all that hooks keep. */
  readonly directory: string;
  /**
   * Whose hook it is.
   * @default told from the input
   */
  readonly host?: HookHost | undefined;
  readonly isUnattended: boolean;
  /**
   * Whether a run may start over.
   * @default false
   */
  readonly startsOver?: boolean;
  /**
   * Nobody can be asked, whatever the agent says of itself.
   * @default false
   */
  readonly isHeadless?: boolean | undefined;
  /** What somebody has allowed in the folder that the agent works in. */
  readonly rulesOf: (folder: string | undefined) => FolderRules;
  /** How long it may wait for other hooks of the same agent, in milliseconds. */
  readonly budgetMs: number;
  readonly reportFault: (fault: unknown) => void;
}

/** What came of a hook: what is to be printed, and what is to be counted. */
export interface KeptHook {
  readonly output: object | undefined;
  readonly host: HookHost;
  readonly answer: HookAnswer["type"];
  readonly nudges: { readonly obeyed: number; readonly ignored: number };
  readonly errand?: HookErrand;
}

/** What is to be done with the files now. If it is not, the agent goes on with `output`. */
export type HookErrand =
  | {
      readonly type: "checkpoint";
      /** The top of the workspace, or a folder in it; undefined where nobody told. */
      readonly folder: string | undefined;
      /** Whether it is for the user's prompt, and not for a loop that the agent is told of. */
      readonly isPrompt: boolean;
      /** Notes the checkpoint, unless the user has spoken again. */
      keep(point: WayBackPoint): void;
    }
  | (Extract<WayBackErrand, { type: "restore" }> & {
      /** What is to be printed then; `hasPutBack`: files were changed for it, which the person should know. */
      write(words: string, hasPutBack: boolean): object | undefined;
    });

const NOTICE =
  "doomloop: the agent went in circles, so its files were put back to where they were at the latest prompt. `doomloop undo` takes that back.";

/** Reads what an agent tells a hook, goes on from what was kept of its run, and keeps that. Undefined where there is nothing to say. */
export function keepHook(value: unknown, options: KeepHookOptions): KeptHook | undefined {
  const { directory, isUnattended, startsOver = false, isHeadless = false, budgetMs, reportFault } = options;
  const input: ForeignRecord | undefined = recordOf(value);
  const dialect = input && dialectOf(input, options.host);
  const told = input && dialect?.read(input);
  if (dialect === undefined || told === undefined) return undefined;
  const read: HookInput = { ...told, canAsk: told.canAsk && !isHeadless };
  const { isOff, tools, allowedAt } = options.rulesOf(read.folder);
  if (isOff) return undefined;
  const settings = (): HookSettings => ({
    isUnattended,
    startsOver,
    guardOptions: { tools },
    allowedAt,
    now: Date.now(),
    unheard: countUnheard(directory),
    reportFault,
  });
  const journal = openJournal<HookState>({ directory, session: read.session, agent: read.agent ?? "", budgetMs });
  const kept = journal.update((saved) => {
    const { state, ...result } = runHook(read, dialect, settings(), readable(saved));
    return { state, result };
  });
  // A decision that is not kept is not said either: the next one would not know of it.
  if (!kept.isKept) {
    noteUnheard(directory);
    reportFault(kept.fault);
    return undefined;
  }
  const { answer, nudges, errand } = kept.result;
  const said = { output: dialect.write(answer, read), host: dialect.host, answer: answer.type, nudges };
  if (errand === undefined) return said;
  if (errand.type === "checkpoint") {
    const { prompt, loop, root = read.folder } = errand;
    const keep = (point: WayBackPoint) =>
      void journal.update((saved) => withPoint(readable(saved), { prompt, loop }, point));
    return { ...said, errand: { type: errand.type, folder: root, isPrompt: loop === undefined, keep } };
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
  return { ...said, errand: { ...errand, write } };
}

interface PointPlace {
  readonly prompt: number;
  readonly loop: string | undefined;
}

function withPoint(state: HookState | undefined, { prompt, loop }: PointPlace, point: WayBackPoint) {
  const known = state?.wayBack;
  if (state === undefined || known?.prompt !== prompt) return { result: undefined };
  const wayBack = loop === undefined ? { prompt, point } : { ...known, told: { loop, checkpoint: point.checkpoint } };
  return { result: undefined, state: { ...state, wayBack } };
}

/** What another version has kept is not gone on from. */
function readable(saved: HookState | undefined): HookState | undefined {
  return saved?.version === 2 ? saved : undefined;
}

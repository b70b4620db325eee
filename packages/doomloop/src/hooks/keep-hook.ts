import { type ForeignRecord, recordOf } from "../transcripts/foreign-value.ts";
import type { HookHost } from "./dialects/dialect.ts";
import { dialectOf } from "./dialects/index.ts";
import type { FolderRules } from "./folder-rules.ts";
import type { HookAnswer } from "./hook-answer.ts";
import { openJournal } from "./journal/journal.ts";
import { type HookSettings, type HookState, runHook } from "./run-hook.ts";

export interface KeepHookOptions {
  /** The folder of all that hooks keep. */
  readonly directory: string;
  /**
   * Whose hook it is.
   * @default told from the input
   */
  readonly host?: HookHost | undefined;
  readonly isUnattended: boolean;
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
}

/** Reads what an agent tells a hook, goes on from what was kept of its run, and keeps that. Undefined where there is nothing to say. */
export function keepHook(value: unknown, options: KeepHookOptions): KeptHook | undefined {
  const { directory, isUnattended, budgetMs, reportFault } = options;
  const input: ForeignRecord | undefined = recordOf(value);
  const dialect = input && dialectOf(input, options.host);
  const read = input && dialect?.read(input);
  if (dialect === undefined || read === undefined) return undefined;
  const { isOff, tools, allowedAt } = options.rulesOf(read.folder);
  if (isOff) return undefined;
  const settings = (): HookSettings => ({
    isUnattended,
    guardOptions: { tools },
    allowedAt,
    now: Date.now(),
    reportFault,
  });
  const journal = openJournal<HookState>({ directory, session: read.session, agent: read.agent ?? "", budgetMs });
  const kept = journal.update((saved) => {
    const { state, ...result } = runHook(read, dialect, settings(), readable(saved));
    return { state, result };
  });
  // A decision that is not kept is not said either: the next one would not know of it.
  if (!kept.isKept) {
    reportFault(kept.fault);
    return undefined;
  }
  const { answer, nudges } = kept.result;
  return { output: dialect.write(answer, read), host: dialect.host, answer: answer.type, nudges };
}

/** What another version has kept is not gone on from. */
function readable(saved: HookState | undefined): HookState | undefined {
  return saved?.version === 2 ? saved : undefined;
}

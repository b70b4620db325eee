import { createCoreGuard } from "../core/guard.ts";
import type { RestingGuard } from "../core/snapshot.ts";
import type { HostAbilities } from "../host/abilities.ts";
import { createHostRun, type SavedHostRun } from "../host/host-run.ts";
import type { Finding, GuardOptions, GuardStats } from "../index.ts";
import { platform } from "../platform.ts";
import { answerHook } from "./answer-hook.ts";
import type { Dialect } from "./dialects/dialect.ts";
import type { HookAnswer } from "./hook-answer.ts";
import type { HookInput } from "./hook-input.ts";

/** What is kept of a run between two events: numbers, hashes and words of our own. */
export interface HookState {
  readonly version: 2;
  readonly guard: RestingGuard;
  readonly run: SavedHostRun;
  /** The latest time that was told, so that a clock that is set back does not run backwards. */
  readonly at: number;
  /** The loop that was spoken of last. */
  readonly finding?: Finding;
  /** When somebody last said that it is none. */
  readonly allowedAt?: number;
}

export interface HookSettings {
  /** Nobody watches: calls may be refused, and the run may be ended. */
  readonly isUnattended: boolean;
  readonly guardOptions: GuardOptions;
  /**
   * When somebody said of the latest loop that it is none.
   * @default never
   */
  readonly allowedAt?: number | undefined;
  readonly now: number;
  readonly reportFault: (fault: unknown) => void;
}

/** Where the run is afterwards, and what is answered. */
export interface HookStep {
  readonly state: HookState;
  readonly answer: HookAnswer;
  /** Nudges of which it shows now whether they helped. */
  readonly nudges: GuardStats["nudges"];
}

/** One event of a run: a pure function of what was kept, of what happened and of the time. */
export function runHook(
  input: HookInput,
  dialect: Dialect,
  settings: HookSettings,
  saved: HookState | undefined,
): HookStep {
  const { isUnattended, guardOptions, reportFault } = settings;
  const at = Math.max(settings.now, saved?.at ?? 0);
  const guard = createCoreGuard(
    {
      ...guardOptions,
      attended: !isUnattended,
      onFault: reportFault,
      ...(saved && { snapshot: saved.guard }),
    },
    platform,
  );
  const before = guard.stats().nudges;
  let finding = saved?.finding;
  const { allowedAt = saved?.allowedAt } = settings;
  if (finding !== undefined && allowedAt !== saved?.allowedAt) guard.allow(finding);
  const run = createHostRun({
    guard: {
      observe(event) {
        const decision = guard.observe(event);
        finding = decision.finding ?? finding;
        return decision;
      },
    },
    abilities: abilitiesOf(dialect, input, isUnattended),
    options: {},
    run: input.session,
    saved: saved?.run,
    now: () => at,
    reportFault,
  });
  const answer = answerHook(input, run, { tellsRounds: dialect.tellsRounds, isAttended: !isUnattended });
  const { obeyed, ignored } = guard.stats().nudges;
  return {
    state: {
      version: 2,
      guard: guard.rest(),
      run: run.save(),
      at,
      ...(finding && { finding }),
      ...(allowedAt !== undefined && { allowedAt }),
    },
    answer,
    nudges: { obeyed: obeyed - before.obeyed, ignored: ignored - before.ignored },
  };
}

/** At the desk there are words, and a question where the agent can ask one. Nothing is ended there. */
function abilitiesOf({ abilities }: Dialect, { canAsk }: HookInput, isUnattended: boolean): HostAbilities {
  return isUnattended ? abilities : { nudge: abilities.nudge, block: canAsk, stop: "none" };
}

import type { CoreGuard } from "../../core/guard.ts";
import { createConfiguredGuard, type GuardConfig } from "../../counting/configured-guard.ts";
import type { HostAbilities } from "../../host/abilities.ts";
import type { Decision, OwnDecision, Rung } from "../../index.ts";
import { platform } from "../../platform.ts";
import type { HookInput } from "./dialect.ts";
import type { HookSettings, HookState } from "./hook-state.ts";

/** For a run that has a second chance. Without the last rung, it restarts however often the guard has restarted for earlier prompts. */
const RESTARTING_LADDER: readonly Rung[] = ["nudge", "block", "restart"];

/** The guard of a run, informed about what happened since its latest event. */
export interface ResumedGuard {
  readonly guard: CoreGuard;
  /** Its options as text. */
  readonly madeWith: string;
  /** Whether events were missed since. */
  readonly isGap: boolean;
  /** Whether a person has allowed a loop since. */
  readonly hasBeenAllowed: boolean;
}

export function resumeGuard(
  input: HookInput,
  settings: HookSettings,
  saved: HookState | undefined,
  abilities: HostAbilities,
): ResumedGuard {
  const { missedEvents = 0 } = settings;
  const { guard, madeWith } = guardFor(settings, saved, abilities);
  if (saved === undefined) return { guard, madeWith, isGap: false, hasBeenAllowed: false };
  const hasBeenAllowed = allowWhatPersonAllowed(guard, input, settings, saved);
  const isGap = saved.missedEvents !== missedEvents;
  if (isGap) guard.noteGap();
  return { guard, madeWith, isGap, hasBeenAllowed };
}

/** The guard of the latest event, if its options are still the same. Otherwise one that goes on from it. */
function guardFor(
  { guardOptions, isUnattended, opinion, reportFault }: HookSettings,
  saved: HookState | undefined,
  abilities: HostAbilities,
): Pick<ResumedGuard, "guard" | "madeWith"> {
  const options: GuardConfig = {
    ...ladderFor(abilities),
    ...guardOptions,
    ...(abilities.restart && { ladder: RESTARTING_LADDER }),
    attended: !isUnattended,
    ...(opinion && { questions: opinion.questions }),
  };
  const madeWith = JSON.stringify(options);
  const before = saved?.guard;
  if (before !== undefined && "observe" in before && saved?.madeWith === madeWith) return { guard: before, madeWith };
  const snapshot = before && "observe" in before ? before.snapshot() : before;
  const own = abilities.restart ? { onDecision: endedIfOnlyWords } : {};
  const all = { ...options, ...own, onFault: reportFault, ...(snapshot && { snapshot }) };
  return { guard: createConfiguredGuard(all, platform), madeWith };
}

/** A person allows a loop with a command, or by letting a call run after a question. */
function allowWhatPersonAllowed(
  guard: CoreGuard,
  { moment }: HookInput,
  { allowedAt }: HookSettings,
  saved: HookState,
): boolean {
  const { finding, asked } = saved;
  const isAllowed = allowedAt !== undefined && allowedAt !== saved.allowedAt;
  const hasAgreed = asked !== undefined && moment.type === "result" && moment.call.id === asked.call;
  if (isAllowed && finding !== undefined) guard.allow(finding);
  if (hasAgreed) guard.allow(asked.finding);
  return isAllowed || hasAgreed;
}

/** Leaves out rungs that the agent cannot carry out. Each would turn into words at every call. */
function ladderFor({ block, stop }: HostAbilities): { readonly ladder?: readonly Rung[] } {
  if (block) return {};
  return { ladder: stop === "none" ? ["nudge"] : ["nudge", "stop"] };
}

/** A run of words without calls has no result that could take the words of a second chance. */
function endedIfOnlyWords({ action, finding }: Decision): OwnDecision | undefined {
  return action === "restart" && finding?.tools.length === 0 ? { action: "stop" } : undefined;
}

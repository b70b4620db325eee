import { type CoreGuard, createCoreGuard } from "../../core/guard.ts";
import type { HostAbilities } from "../../host/abilities.ts";
import type { Decision, OwnDecision, Rung } from "../../index.ts";
import { platform } from "../../platform.ts";
import type { HookInput } from "./dialect.ts";
import type { HookSettings, HookState } from "./hook-state.ts";
import { isFailing, RESTARTING_LADDER } from "./rollback.ts";

/** The guard of a run, restored, and informed about what happened since. */
export interface ResumedGuard {
  readonly guard: CoreGuard;
  /** How often events were missed. */
  readonly gaps: number;
  /** Whether a person has allowed a loop since. */
  readonly hasBeenAllowed: boolean;
}

export function resumeGuard(
  input: HookInput,
  settings: HookSettings,
  saved: HookState | undefined,
  abilities: HostAbilities,
): ResumedGuard {
  const { guardOptions, isUnattended, reportFault, missedEvents = 0 } = settings;
  const guard = createCoreGuard(
    {
      ...ladderFor(abilities),
      ...guardOptions,
      ...(abilities.restart && { ladder: RESTARTING_LADDER, onDecision: endedUnlessFailing }),
      attended: !isUnattended,
      onFault: reportFault,
      ...(saved && { snapshot: saved.guard }),
    },
    platform,
  );
  if (saved === undefined) return { guard, gaps: 0, hasBeenAllowed: false };
  const hasBeenAllowed = allowWhatPersonAllowed(guard, input, settings, saved);
  const isGap = saved.missedEvents !== missedEvents;
  const gaps = saved.gaps + (isGap ? 1 : 0);
  if (isGap) noteGap(guard, gaps);
  return { guard, gaps, hasBeenAllowed };
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
  return { ladder: stop === "none" ? ["nudge", "nudge"] : ["nudge", "nudge", "stop"] };
}

function endedUnlessFailing({ action, finding }: Decision): OwnDecision | undefined {
  return action === "restart" && !isFailing(finding) ? { action: "stop" } : undefined;
}

/**
 * A missed event may have changed anything, so the guard is told a measure of the world that differs from the one before. It is told both,
 * because a guard that has started over knows neither.
 */
function noteGap(guard: CoreGuard, gaps: number): void {
  for (const value of [gaps - 1, gaps]) guard.observe({ type: "state", key: "missed-events", value });
}

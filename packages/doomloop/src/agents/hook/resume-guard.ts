import { type CoreGuard, createCoreGuard } from "../../core/guard.ts";
import type { HostAbilities } from "../../host/abilities.ts";
import type { Decision, OwnDecision, Rung } from "../../index.ts";
import { platform } from "../../platform.ts";
import type { HookInput } from "./dialect.ts";
import type { HookSettings, HookState } from "./hook-state.ts";
import { isFailing, RESTARTING_LADDER } from "./rollback.ts";

/** The guard of a run, as it was left, and told what happened to the run since. */
export interface ResumedGuard {
  readonly guard: CoreGuard;
  /** How often events were not heard. */
  readonly gaps: number;
  /** Whether a person has said since that a loop is none. */
  readonly isPardoned: boolean;
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
  if (saved === undefined) return { guard, gaps: 0, isPardoned: false };
  const isPardoned = pardon(guard, input, settings, saved);
  const isGap = saved.missedEvents !== missedEvents;
  const gaps = saved.gaps + (isGap ? 1 : 0);
  if (isGap) noteGap(guard, gaps);
  return { guard, gaps, isPardoned };
}

/** Allows what a person has allowed, be it with a command or by letting a call run that it was asked about. */
function pardon(guard: CoreGuard, { moment }: HookInput, { allowedAt }: HookSettings, saved: HookState): boolean {
  const { finding, asked } = saved;
  const isAllowed = allowedAt !== undefined && allowedAt !== saved.allowedAt;
  const hasAgreed = asked !== undefined && moment.type === "result" && moment.call.id === asked.call;
  if (isAllowed && finding !== undefined) guard.allow(finding);
  if (hasAgreed) guard.allow(asked.finding);
  return isAllowed || hasAgreed;
}

/** A rung that the agent's host cannot carry out would come to words with every call. */
function ladderFor({ block, stop }: HostAbilities): { readonly ladder?: readonly Rung[] } {
  if (block) return {};
  return { ladder: stop === "none" ? ["nudge", "nudge"] : ["nudge", "nudge", "stop"] };
}

function endedUnlessFailing({ action, finding }: Decision): OwnDecision | undefined {
  return action === "restart" && !isFailing(finding) ? { action: "stop" } : undefined;
}

/**
 * What was not heard may have changed anything: a measure of the world that differs from the one before. Both are told, because a guard that
 * has started over knows none.
 */
function noteGap(guard: CoreGuard, gaps: number): void {
  for (const value of [gaps - 1, gaps]) guard.observe({ type: "state", key: "missed-events", value });
}

import type { Outcome } from "../identity/outcome.ts";
import type { CallFacts } from "../memory/call-facts.ts";
import type { Effect } from "./read-call.ts";

/** How long waiting may go on without news before it counts as repetition. */
export const DEFAULT_PATIENCE_MS = 900_000;

/** What one look at a job is worth where nobody tells how long it took. */
const NOMINAL_POLL_MS = 10_000;
const SHORT = 400;

const STATUS_TOOL = /status|state|poll|check|wait|progress|job|build|deploy|queue|watch|health/i;
const PENDING =
  /\b(?:pending|running|in[ _-]?progress|queued|waiting|building|not[ _-]ready|starting|processing|scheduled|initializing|deploying|provisioning|still)\b/i;

/** An answer whose status, by that name, says that something goes on, whatever the tool is called. */
const STATUS_PENDING =
  /\b(?:status|state|phase)["'>:=\s]{1,6}(?:pending|running|in[ _-]?progress|queued|waiting|building|starting|processing|scheduled)\b|^(?:process|command|task|job|container) (?:is )?(?:still )?running\b/i;

/** Whether a step asks for time: it sleeps, or it looks at a job and hears that the job goes on. */
export function asksForTime(tool: string, facts: CallFacts, outcome: Outcome | undefined, isPoll: boolean): boolean {
  if (isPoll) return true;
  if (facts.mayWait && (facts.effect.kind === "wait" || facts.effect.waitMs > 0)) return true;
  if (outcome === undefined || outcome.length > SHORT || tool.length > 128) return false;
  return (STATUS_TOOL.test(tool) && PENDING.test(outcome.text)) || STATUS_PENDING.test(outcome.text);
}

/** How much time a step asked for: what passed since the last one if the host says when, else what the call declares. */
export function waitedMs(effect: Effect, at: number | undefined, previousAt: number | undefined): number {
  if (at !== undefined && previousAt !== undefined && at >= previousAt) return Math.max(at - previousAt, effect.waitMs);
  return effect.waitMs > 0 ? effect.waitMs : NOMINAL_POLL_MS;
}

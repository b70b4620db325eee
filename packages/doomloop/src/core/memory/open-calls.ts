import { pushLatest } from "../collections/bounded.ts";
import { type Digest, digestOf, isDigest } from "../identity/digest.ts";
import type { Step } from "../step.ts";
import { COMPARED_OPEN, LONG_ID, MAX_OPEN, MAX_REFUSED } from "./limits.ts";
import { forgetView } from "./views.ts";

/** The calls whose results are awaited. If there are too many, the oldest is forgotten, and its result then belongs to no call. */
export interface OpenCalls {
  open: Step[];
  /** Refused calls. They await no result, but the host may send one. */
  readonly refused: Step[];
}

export function createOpenCalls(): OpenCalls {
  return { open: [], refused: [] };
}

export function openCall({ open }: OpenCalls, step: Step): void {
  pushLatest(open, step, MAX_OPEN);
  const old = open.at(-1 - COMPARED_OPEN);
  if (old !== undefined) forgetView(old);
}

/** Whether a provider or a host sends a call a second time while it is open. */
export function isRetry({ open }: OpenCalls, id: string | undefined, call: Digest): boolean {
  return id !== undefined && open.some((step) => step.call === call && isId(step.id, id));
}

/** Takes the call that a result belongs to: the latest with this id, or without an id the oldest. Refused calls come last. */
export function takeCall({ open, refused }: OpenCalls, id: string | undefined): Step | undefined {
  return id === undefined ? (open.shift() ?? refused.pop()) : (takeFrom(open, id) ?? takeFrom(refused, id));
}

/** Notes that the guard refused a call. */
export function refuseCall(calls: OpenCalls, step: Step): void {
  calls.open = calls.open.filter((each) => each !== step);
  step.isRefused = true;
  pushLatest(calls.refused, step, MAX_REFUSED);
}

/** How an id is kept: a long id as its digest. */
export function keptId(id: string | undefined): string | undefined {
  return id === undefined || id.length <= LONG_ID ? id : digestOf(id);
}

/** Replaces an id by its digest: at rest, no foreign text is kept. */
export function settleId(step: Step): void {
  if (step.id !== undefined && !isDigest(step.id)) step.id = digestOf(step.id);
}

function takeFrom(steps: Step[], id: string): Step | undefined {
  const at = steps.findLastIndex((step) => isId(step.id, id));
  return at < 0 ? undefined : steps.splice(at, 1)[0];
}

function isId(kept: string | undefined, id: string): boolean {
  return kept === id || (kept !== undefined && isDigest(kept) && kept === digestOf(id));
}

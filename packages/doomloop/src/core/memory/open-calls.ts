import { pushLatest } from "../collections/bounded.ts";
import { type Digest, digestOf, isDigest } from "../identity/digest.ts";
import type { Step } from "../step.ts";
import { forgetView } from "./views.ts";

/** The calls in flight. The oldest is given up when there are too many: its result would then belong to nothing. */
export interface OpenCalls {
  open: Step[];
  /** They await no result, though the host may send one. */
  readonly refused: Step[];
}

export const MAX_OPEN = 48;
/** So many of the latest can be compared with others by more than equality. */
const COMPARED = 24;
const LONG_ID = 64;
const REFUSED = 8;

export function createOpenCalls(): OpenCalls {
  return { open: [], refused: [] };
}

export function openCall({ open }: OpenCalls, step: Step): void {
  pushLatest(open, step, MAX_OPEN);
  const old = open.at(-1 - COMPARED);
  if (old !== undefined) forgetView(old);
}

/** Whether a call is a provider's or a host's second sending of one in flight. */
export function isRetry({ open }: OpenCalls, id: string | undefined, call: Digest): boolean {
  return id !== undefined && open.some((step) => step.call === call && isId(step.id, id));
}

/** The latest with this id, or without an id the oldest. A refused call has a result only if nothing else is open. */
export function takeCall({ open, refused }: OpenCalls, id: string | undefined): Step | undefined {
  return id === undefined ? (open.shift() ?? refused.pop()) : (takeFrom(open, id) ?? takeFrom(refused, id));
}

/** The call is not to be run. */
export function refuseCall(calls: OpenCalls, step: Step): void {
  calls.open = calls.open.filter((each) => each !== step);
  step.isRefused = true;
  pushLatest(calls.refused, step, REFUSED);
}

/** How an id is kept: a long one as its digest. */
export function keptId(id: string | undefined): string | undefined {
  return id === undefined || id.length <= LONG_ID ? id : digestOf(id);
}

/** At rest all ids are digests, because they are foreign. */
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

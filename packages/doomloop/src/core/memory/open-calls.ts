import { pushLatest } from "../collections/bounded.ts";
import { type Digest, digestOf, isDigest } from "../identity/digest.ts";
import type { RunState } from "./run-state.ts";
import type { Step } from "./step.ts";

/** Calls whose results are awaited. If there are more, the oldest is forgotten, and its result then belongs to no call. */
export const MAX_OPEN = 48;
/** Refused calls whose results may still come. */
const MAX_REFUSED = 8;
/** A longer id is kept as its digest. */
const LONG_ID = 64;
/** Of one that is longer than twice this, only the beginning and the end are read. */
const MAX_READ = 4096;

export function openCall({ open }: RunState, step: Step): void {
  pushLatest(open, step, MAX_OPEN);
}

/** Whether a provider or a host sends a call a second time while it is open. */
export function isRetry({ open }: RunState, id: string | undefined, call: Digest): boolean {
  return id !== undefined && open.some((step) => step.call === call && isId(step.id, id));
}

/** Takes the call that a result belongs to: the latest with this id, or without an id the oldest. Refused calls come last. */
export function takeCall({ open, refused }: RunState, id: string | undefined): Step | undefined {
  return id === undefined ? (open.shift() ?? refused.pop()) : (takeFrom(open, id) ?? takeFrom(refused, id));
}

/** Notes that the guard refused a call. */
export function refuseCall({ open, refused }: RunState, step: Step): void {
  const at = open.findIndex(({ index }) => index === step.index);
  const [own = step] = at < 0 ? [] : open.splice(at, 1);
  pushLatest(refused, { ...own, isRefused: true }, MAX_REFUSED);
}

/** How an id is kept: a long id as its digest. */
export function keptId(id: unknown): string | undefined {
  // An empty id counts as missing: some servers send it with every call.
  if (typeof id !== "string" || id === "") return undefined;
  if (id.length <= LONG_ID) return id;
  return digestOf(id.length <= 2 * MAX_READ ? id : `${id.slice(0, MAX_READ)}${id.slice(-MAX_READ)}${id.length}`);
}

/** Replaces ids by their digests: at rest, no foreign text is kept. */
export function settleIds({ open, refused }: RunState): void {
  for (const step of [...open, ...refused])
    if (step.id !== undefined && !isDigest(step.id)) step.id = digestOf(step.id);
}

function takeFrom(steps: Step[], id: string): Step | undefined {
  const at = steps.findLastIndex((step) => isId(step.id, id));
  return at < 0 ? undefined : steps.splice(at, 1)[0];
}

function isId(kept: string | undefined, id: string): boolean {
  return kept === id || (kept !== undefined && isDigest(kept) && kept === digestOf(id));
}

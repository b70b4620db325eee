import { pushLatest } from "../collections/bounded.ts";
import { digestOf, isDigest } from "../identity/digest.ts";
import type { OpenCall, RunMemory } from "./run-memory.ts";

/** Calls whose results are awaited. If there are more, the oldest is forgotten, and its result then belongs to no call. */
export const MAX_OPEN = 48;
/** Refused calls whose results may still come. */
const MAX_REFUSED = 8;
/** A longer id is kept as its digest. */
const LONG_ID = 64;
/** Of one that is longer than twice this, only the beginning and the end are read. */
const MAX_READ = 4096;

/** Whether a provider or a host sends a call a second time while it is open. */
export function isRetry({ open }: RunMemory, id: string | undefined, call: number): boolean {
  return id !== undefined && open.some((each) => each.call.call === call && isId(each.id, id));
}

/** Takes the call that a result belongs to: the latest with this id, or without an id the oldest. Refused calls come last. */
export function takeCall({ open, refused }: RunMemory, id: string | undefined): OpenCall | undefined {
  return id === undefined ? (open.shift() ?? refused.pop()) : (takeFrom(open, id) ?? takeFrom(refused, id));
}

/** Notes that the guard refused a call. */
export function refuseCall({ open, refused }: RunMemory, { call }: OpenCall): void {
  const at = open.findIndex((each) => each.call.index === call.index);
  if (at < 0) return;
  const [own] = open.splice(at, 1);
  own!.isRefused = true;
  pushLatest(refused, own!, MAX_REFUSED);
}

/** How an id is kept: a long id as its digest. */
export function keptId(id: unknown): string | undefined {
  // An empty id counts as missing: some servers send it with every call.
  if (typeof id !== "string" || id === "") return undefined;
  if (id.length <= LONG_ID) return id;
  return digestOf(id.length <= 2 * MAX_READ ? id : `${id.slice(0, MAX_READ)}${id.slice(-MAX_READ)}${id.length}`);
}

/** Replaces ids by their digests: at rest, no foreign text is kept. */
export function settleIds({ open, refused }: RunMemory): void {
  for (const call of [...open, ...refused])
    if (call.id !== undefined && !isDigest(call.id)) call.id = digestOf(call.id);
}

function takeFrom(calls: OpenCall[], id: string): OpenCall | undefined {
  const at = calls.findLastIndex((call) => isId(call.id, id));
  return at < 0 ? undefined : calls.splice(at, 1)[0];
}

function isId(kept: string | undefined, id: string): boolean {
  return kept === id || (kept !== undefined && isDigest(kept) && kept === digestOf(id));
}

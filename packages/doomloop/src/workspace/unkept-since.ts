import type { Captured } from "./capture.ts";
import type { KnownCheckpoint } from "./checkpoint-book.ts";
import type { UntouchedFile } from "./plan-restore.ts";
import { among, type RawPath, shownPath } from "./raw-path.ts";

/**
 * What was not left out at the checkpoint and is now: it cannot be kept first, so nobody touches it. A folder that became a repository
 * is one of these, and is named as a whole.
 */
export function unkeptSince(
  { nested, tooLarge, unreadable }: Pick<Captured, "nested" | "tooLarge" | "unreadable">,
  { facts, checkpoint }: Pick<KnownCheckpoint, "facts" | "checkpoint">,
  only: readonly RawPath[] | undefined,
): readonly UntouchedFile[] {
  const wasLeftOut = among(facts.leftOut);
  const isAsked = (path: RawPath): boolean =>
    only === undefined || only.some((each) => `${each}/`.startsWith(`${path}/`) || path.startsWith(`${each}/`));
  // Of one that had files before it became a repository, the facts have only those that came since.
  const wasNested = new Set(checkpoint.leftOut.nested);
  const all: readonly UntouchedFile[] = [
    ...nested
      .filter((path) => !wasNested.has(shownPath(path)))
      .map((path) => ({ path, why: "became-nested" as const })),
    ...tooLarge.map((path) => ({ path, why: "too-large" as const })),
    ...unreadable.map((path) => ({ path, why: "unreadable" as const })),
  ];
  return all.filter(({ path }) => !wasLeftOut(path) && !wasLeftOut(`${path}/`) && isAsked(path));
}

import type { PassedOver, PassedReason } from "../../scan/passed-over.ts";
import { count } from "../../scan/report/count.ts";
import { printable } from "../../system/printable.ts";

/** For each reason what was passed over, and the reason for one and for several. */
const WORDS: Readonly<Record<PassedReason, readonly [noun: string, one: string, several: string]>> = {
  unknown: ["file", "no reader knows it", "no reader knows them"],
  link: ["link", "it leads out of its folder", "they lead out of their folders"],
  special: ["file", "it is a pipe, a socket or a device", "they are pipes, sockets or devices"],
  closed: ["folder", "it cannot be read", "they cannot be read"],
  deep: ["folder", "it lies too deep", "they lie too deep"],
  many: ["folder", "it holds too many files, and the rest of them was not read", "they hold too many files"],
};

/** What a scan did not read, and why: a line a reason, and each path below it if they are to be named. */
export function* passedOverNotices(passedOver: readonly PassedOver[], isVerbose: boolean): Generator<string> {
  for (const [reason, [noun, one, several]] of Object.entries(WORDS)) {
    const paths = passedOver.filter((passed) => passed.reason === reason).map(({ path }) => path);
    if (paths.length === 0) continue;
    const line = `${count(paths.length, noun)} passed over: ${paths.length === 1 ? one : several}`;
    yield isVerbose ? `${line}:` : `${line} (--verbose names ${paths.length === 1 ? "it" : "them"})`;
    if (isVerbose) for (const path of paths.sort()) yield `  ${printable(path)}`;
  }
}

import { posix, win32 } from "node:path";
import type { TranscriptEnvironment } from "./reader.ts";

/** Joins parts of a path as the described machine does, which need not be this one. */
export function joinPath(environment: TranscriptEnvironment, ...parts: readonly string[]): string {
  return (environment.platform === "win32" ? win32 : posix).join(...parts);
}

import { safely } from "../../core/faults.ts";
import type { LoopStop } from "../../host/host-options.ts";
import { DoomloopError } from "../../index.ts";

export interface FinalOutputSettings {
  /** What the user has given for it. */
  readonly finalOutput: ((stop: LoopStop) => string) | undefined;
  readonly reportFault: (fault: unknown) => void;
}

/**
 * What an ended run gives as its final output, by the output type of its agent: the user's own, or the words for people. Undefined
 * where those do not fit the type.
 */
export function finalOutputOf(
  stop: LoopStop,
  outputType: unknown,
  { finalOutput, reportFault }: FinalOutputSettings,
): string | undefined {
  const given: unknown = finalOutput && safely(() => finalOutput(stop), reportFault);
  if (typeof given === "string") return given;
  if (given !== undefined)
    reportFault(new DoomloopError("invalid-option", `finalOutput: a string is required, got ${typeof given}`));
  return outputType === "text" ? stop.explanation : undefined;
}

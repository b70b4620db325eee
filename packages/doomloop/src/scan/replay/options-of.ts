import type { GuardOptions } from "../../core/options.ts";
import { createGuard } from "../../index.ts";
import type { TraceRun } from "../../transcripts/trace/parse-run.ts";
import { checkConfig } from "../config/check-config.ts";

/** The options that a run was judged with, where its trace says so and they make sense; they hold data alone. */
export function optionsOf({ options }: TraceRun): GuardOptions | undefined {
  if (options === undefined) return undefined;
  try {
    const checked = checkConfig(options);
    createGuard(checked);
    return checked;
  } catch {
    return undefined;
  }
}

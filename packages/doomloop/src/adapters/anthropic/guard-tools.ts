import type { HostOptions } from "../../host/host-options.ts";
import { createHostRuns } from "../../host/host-runs.ts";
import { guardTool } from "./guard-tool.ts";
import type { ToolLike } from "./messages.ts";

/**
 * Guards the tools of one run: `tools: guardTools(tools)`, for a runner of any kind.
 *
 * Tools cannot end a run, so a stop is a block, unless their runner goes through `guardRunner`: that takes these tools and
 * these options over, with a guard of its own for each runner.
 *
 * Throws a `DoomloopError` for options that make no sense; nothing throws after that.
 */
export function guardTools<const Tool extends ToolLike>(tools: readonly Tool[], options: HostOptions = {}): Tool[] {
  const run = createHostRuns(options, { nudge: "result", block: true, stop: "none" }).start();
  return tools.map((tool) => guardTool(tool, run, options));
}

import { hasKey } from "../head-value.ts";
import type { TranscriptReader } from "../reader.ts";
import { parseMiniSweAgent } from "./parse.ts";
import { miniSweAgentPaths } from "./paths.ts";

/** Trajectories of mini-swe-agent. */
export const miniSweAgent: TranscriptReader = {
  agent: "mini-swe-agent",
  label: "mini-swe-agent",
  extensions: [".json"],
  layout: "any",
  roots: miniSweAgentPaths,
  isMine: (path, head) =>
    head.trimStart().startsWith("{") &&
    (hasKey(head, "trajectory_format", '"mini-swe-agent') ||
      (path.toLowerCase().endsWith(".traj.json") && (hasKey(head, "info", "{") || hasKey(head, "messages", "[")))),
  open: parseMiniSweAgent,
};

import { hasKey } from "../head-value.ts";
import type { TranscriptReader } from "../reader.ts";
import { parseSweAgent } from "./parse.ts";
import { sweAgentPaths } from "./paths.ts";

const KEYS = ["trajectory", "environment", "history", "info", "replay_config"];

/** Trajectories of SWE-agent. */
export const sweAgent: TranscriptReader = {
  agent: "swe-agent",
  label: "SWE-agent",
  extensions: [".traj"],
  layout: "any",
  roots: sweAgentPaths,
  isMine: (_path, head) => head.trimStart().startsWith("{") && KEYS.some((key) => hasKey(head, key)),
  open: parseSweAgent,
};

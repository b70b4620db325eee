import type { TranscriptReader } from "../reader.ts";
import { parseSweAgent } from "./parse.ts";
import { sweAgentPaths } from "./paths.ts";

/** What a trajectory begins with: those of mini-swe-agent, which may be named alike, begin with `info`. */
const FIRST_KEY = /^\s{0,8}\{\s{0,8}"(?:trajectory|environment|history|attempts|replay_config)"\s{0,8}:/;

/** Trajectories of SWE-agent. */
export const sweAgent: TranscriptReader = {
  agent: "swe-agent",
  label: "SWE-agent",
  extensions: [".traj"],
  layout: "any",
  roots: sweAgentPaths,
  isMine: (_path, head) => FIRST_KEY.test(head),
  open: parseSweAgent,
};

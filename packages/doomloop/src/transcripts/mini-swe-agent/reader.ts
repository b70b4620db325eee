import { hasKey } from "../head-value.ts";
import type { TranscriptReader } from "../reader.ts";
import { parseMiniSweAgent } from "./parse.ts";
import { miniSweAgentPaths } from "./paths.ts";

const TRAJECTORY = /\.traj(?:\.json)?(?:\.gz)?$/i;
/** The format is named last, behind the whole conversation. */
const FIRST_KEY = /^\s{0,8}\{\s{0,8}"(?:info|messages)"\s{0,8}:/;

/** Trajectories of mini-swe-agent. */
export const miniSweAgent: TranscriptReader = {
  agent: "mini-swe-agent",
  label: "mini-swe-agent",
  extensions: [".json", ".traj"],
  layout: "any",
  roots: miniSweAgentPaths,
  isMine: (path, head) =>
    head.trimStart().startsWith("{") &&
    (hasKey(head, "trajectory_format", '"mini-swe-agent') ||
      (TRAJECTORY.test(path) && FIRST_KEY.test(head) && !hasKey(head, "trajectory", "["))),
  open: parseMiniSweAgent,
};

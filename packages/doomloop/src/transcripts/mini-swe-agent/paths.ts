import { joinPath } from "../join-path.ts";
import type { TranscriptEnvironment } from "../reader.ts";

/** The latest interactive run; runs of a benchmark lie where they were told to. */
export function miniSweAgentPaths(environment: TranscriptEnvironment): readonly string[] {
  const { env, home, platform } = environment;
  const usual = platform === "darwin" ? ["Library", "Application Support"] : [".config"];
  const folder = env.MSWEA_GLOBAL_CONFIG_DIR || joinPath(environment, home, ...usual, "mini-swe-agent");
  return [joinPath(environment, folder, "last_mini_run.traj.json")];
}

import { joinPath } from "../join-path.ts";
import type { TranscriptEnvironment } from "../reader.ts";

/** The latest run of each of its programs, beside its settings; runs of a benchmark lie where they were told to. */
export function miniSweAgentPaths(environment: TranscriptEnvironment): readonly string[] {
  const { env } = environment;
  return [env.MSWEA_GLOBAL_CONFIG_DIR || joinPath(environment, ...settingsFolder(environment), "mini-swe-agent")];
}

/** Where a platform keeps settings; on Windows a program's folder lies in one of its author, who has the same name. */
function settingsFolder({ env, home, platform }: TranscriptEnvironment): readonly string[] {
  if (platform === "darwin") return [home, "Library", "Application Support"];
  if (platform !== "win32") return env.XDG_CONFIG_HOME ? [env.XDG_CONFIG_HOME] : [home, ".config"];
  return [...(env.LOCALAPPDATA ? [env.LOCALAPPDATA] : [home, "AppData", "Local"]), "mini-swe-agent"];
}

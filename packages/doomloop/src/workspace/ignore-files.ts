import { execFileSync } from "node:child_process";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";

const TIMEOUT_MS = 10_000;

/** The files in which the user names what is to be ignored everywhere: what git status does not show, is not copied either. */
export function ignoreFiles(env: NodeJS.ProcessEnv, git: string | undefined): readonly string[] {
  const own = git === undefined ? undefined : excludesFile(env, git);
  const usual = join(env.XDG_CONFIG_HOME || join(homedir(), ".config"), "git", "ignore");
  return [own === undefined ? usual : resolve(homedir(), own)];
}

/** `core.excludesFile` of the user's own configuration. The workspace's is not read. */
function excludesFile(env: NodeJS.ProcessEnv, git: string): string | undefined {
  const words = ["config", "--global", "--type=path", "--get", "core.excludesFile"];
  const { HOME, XDG_CONFIG_HOME, USERPROFILE } = env;
  try {
    const options = { cwd: tmpdir(), env: { HOME, XDG_CONFIG_HOME, USERPROFILE }, timeout: TIMEOUT_MS };
    return execFileSync(git, words, { ...options, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return undefined;
  }
}

import { existsSync, realpathSync } from "node:fs";
import { join, posix, win32 } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { packageFolder } from "../../system/package-folder.ts";
import { UsageError } from "../../system/usage-error.ts";

/**
 * The shells in which agents run a hook's command. `any-windows`: any shell of Windows. `javascript`: no shell, because the agent loads a
 * module.
 */
export type CommandShell = "posix" | "powershell" | "any-windows" | "javascript";

/** How the hook's program is started. */
interface HookProgramWords {
  /** Where Node is. */
  readonly node: string;
  /** Where the hook's program is. */
  readonly program: string;
  /** The name of the agent. */
  readonly host: string;
  readonly isUnattended: boolean;
  /**
   * Whether a run may start over.
   * @default false
   */
  readonly startsOver?: boolean;
}

const PLAIN_WORD = /^[\w@%+=:,./-]{1,1000}$/;
/** `cmd` replaces variables between percent signs even within quotes. */
const UNQUOTABLE = /["%!\r\n]/;

/** The command that starts the hook, quoted for a shell. Throws a `UsageError` for a path that cannot be quoted. */
export function hookCommand(words: HookProgramWords, shell: CommandShell): string {
  const { node, program, host, isUnattended, startsOver = false } = words;
  if (shell === "javascript") return pluginCall(pluginBeside(program, host), isUnattended);
  const rest = ["--host", host, ...(isUnattended ? ["--unattended"] : []), ...(startsOver ? ["--start-over"] : [])];
  if (shell === "powershell") return ["&", ...[node, program].map(inPowerShell), ...rest].join(" ");
  if (shell === "posix") return [node, program, ...rest].map(inPosix).join(" ");
  for (const path of [node, program]) {
    if (UNQUOTABLE.test(path)) throw new UsageError(`a path that no shell can be told safely: ${path}`);
  }
  // Because the first word has no quotes, `cmd` does not remove the outermost quotes. PowerShell runs it, too.
  return ["cmd /d /c call", ...[node, program].map((path) => `"${path}"`), ...rest].join(" ");
}

/** A path for a POSIX shell. On Windows that is Git's shell, which accepts `/` in paths. */
export function slashed(path: string, platform: NodeJS.Platform): string {
  return platform === "win32" ? path.replaceAll("\\", posix.sep) : path;
}

/** Whether a command in an agent's settings starts our hook, of any version and from any folder. */
export function isOwnCommand(command: unknown): boolean {
  return typeof command === "string" && (OWN.test(command) || OWN_CALL.test(command));
}

/** Whether one of our commands is for runs that nobody watches. */
export function isForUnattended(command: string): boolean {
  return / --unattended(?: --start-over)?\s*$|\{ unattended: true \}\)$/.test(command);
}

const OWN =
  /[\\/]agents[\\/]hook-program[\\/]main\.(?:[jt]s|cjs)['"]? --host [a-z-]{1,30}(?: --unattended)?(?: --start-over)?(?: --status-line)?\s*$/;

const OWN_CALL =
  /^\(await import\("file:[^"\s]{1,2000}\/agents\/[a-z]{1,30}\/plugin\.[jt]s"\)\)\.createDoomloop\(\{ unattended: (?:true|false) \}\)$/;

/** The plugin is in the agent's folder, beside the folder of the hook's program. */
function pluginBeside(program: string, host: string): string {
  const isWindows = /^[a-z]:\\/i.test(program);
  const { dirname, join } = isWindows ? win32 : posix;
  const name = program.endsWith(".ts") ? "plugin.ts" : "plugin.js";
  // A path of Windows is not a valid module name.
  return pathToFileURL(join(dirname(dirname(program)), host, name), { windows: isWindows }).href;
}

function pluginCall(url: string, isUnattended: boolean): string {
  return `(await import(${JSON.stringify(url)})).createDoomloop({ unattended: ${isUnattended} })`;
}

function inPosix(word: string): string {
  return PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function inPowerShell(word: string): string {
  return `'${word.replaceAll("'", "''")}'`;
}

/** Where Node and the hook's program are. Commands with these paths must still work next month. */
export interface InstalledHook {
  readonly node: string;
  readonly program: string;
}

/** Finds Node and the hook's program. Throws a `UsageError` if the package is in a cache, which may be emptied. */
export function installedHook(execPath = process.execPath): InstalledHook {
  // The source runs as it is.
  const name = import.meta.url.endsWith(".ts")
    ? "src/agents/hook-program/main.ts"
    : "dist/agents/hook-program/main.cjs";
  const program = fileURLToPath(new URL(name, packageFolder));
  if (/[\\/]_npx[\\/]/.test(program)) {
    throw new UsageError(
      "npx keeps doomloop in a cache that is emptied now and then; hooks need it to stay: npm install --global doomloop",
    );
  }
  return { node: lastingNode(execPath), program };
}

/** Whether the hook is part of a project, as a dependency or as its source. Then an agent that works there can change it. */
export function isInProject({ program }: InstalledHook): boolean {
  const at = program.search(/[\\/]node_modules[\\/]/);
  if (at < 0) return true;
  const holder = program.slice(0, at);
  return [".git", "package.json"].some((name) => existsSync(join(holder, name)));
}

/** Homebrew has a folder for each version, and a link to the latest that stays valid. */
function lastingNode(execPath: string): string {
  const at = execPath.indexOf("/Cellar/");
  const link = at < 0 ? execPath : join(execPath.slice(0, at), "bin", "node");
  return existsSync(link) && realpathSync(link) === realpathSync(execPath) ? link : execPath;
}

import { existsSync, realpathSync } from "node:fs";
import { join, posix, win32 } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { packageFolder } from "../../system/package-folder.ts";
import { UsageError } from "../../system/usage-error.ts";

/**
 * The shells that agents give a hook's command to. `any-windows`: whichever Windows has. `javascript`: none, the agent is told in a module
 * that it loads.
 */
export type CommandShell = "posix" | "powershell" | "any-windows" | "javascript";

/** What the hook's program is started with. */
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
/** `cmd` puts variables in between percent signs, whatever the quotes. */
const UNQUOTABLE = /["%!\r\n]/;

/** The command that starts the hook, quoted for a shell. Throws a `UsageError` for a path that the shell cannot be told. */
export function hookCommand(words: HookProgramWords, shell: CommandShell): string {
  const { node, program, host, isUnattended, startsOver = false } = words;
  if (shell === "javascript") return pluginCall(pluginBeside(program, host), isUnattended);
  const rest = ["--host", host, ...(isUnattended ? ["--unattended"] : []), ...(startsOver ? ["--start-over"] : [])];
  if (shell === "powershell") return ["&", ...[node, program].map(inPowerShell), ...rest].join(" ");
  if (shell === "posix") return [node, program, ...rest].map(inPosix).join(" ");
  for (const path of [node, program]) {
    if (UNQUOTABLE.test(path)) throw new UsageError(`a path that no shell can be told safely: ${path}`);
  }
  // A first word without quotes keeps `cmd` from taking the outermost ones away, and PowerShell runs it too.
  return ["cmd /d /c call", ...[node, program].map((path) => `"${path}"`), ...rest].join(" ");
}

/** A path for a POSIX shell; on Windows that is the one of Git, which takes `/` in paths. */
export function slashed(path: string, platform: NodeJS.Platform): string {
  return platform === "win32" ? path.replaceAll("\\", posix.sep) : path;
}

/** Whether a command of somebody's settings starts our hook, of whichever version and place. */
export function isOwnCommand(command: unknown): boolean {
  return typeof command === "string" && (OWN.test(command) || OWN_CALL.test(command));
}

/** Whether a command of ours is for runs that nobody watches. */
export function isForUnattended(command: string): boolean {
  return / --unattended(?: --start-over)?\s*$|\{ unattended: true \}\)$/.test(command);
}

const OWN =
  /[\\/]agents[\\/]hook-program[\\/]main\.(?:[jt]s|cjs)['"]? --host [a-z-]{1,30}(?: --unattended)?(?: --start-over)?(?: --status-line)?\s*$/;

const OWN_CALL =
  /^\(await import\("file:[^"\s]{1,2000}\/agents\/[a-z]{1,30}\/plugin\.[jt]s"\)\)\.createDoomloop\(\{ unattended: (?:true|false) \}\)$/;

/** Each agent that loads plugins has a folder beside that of the hook's program. */
function pluginBeside(program: string, host: string): string {
  const isWindows = /^[a-z]:\\/i.test(program);
  const { dirname, join } = isWindows ? win32 : posix;
  const name = program.endsWith(".ts") ? "plugin.ts" : "plugin.js";
  // Paths of Windows are no names of modules.
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

/** Where Node and the hook's program are, for commands that must still be right next month. */
export interface InstalledHook {
  readonly node: string;
  readonly program: string;
}

/** Finds them. Throws a `UsageError` where the package lies in a cache, from which it may vanish. */
export function installedHook(execPath = process.execPath): InstalledHook {
  // Untranspiled, the program stands beside this file.
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

/** Whether it lies in a project, as a dependency or as its source: then whoever works there can change it. A global folder is none. */
export function isInProject({ program }: InstalledHook): boolean {
  const at = program.search(/[\\/]node_modules[\\/]/);
  if (at < 0) return true;
  const holder = program.slice(0, at);
  return [".git", "package.json"].some((name) => existsSync(join(holder, name)));
}

/** Homebrew puts each version into a folder of its own, and a link to the latest beside them. */
function lastingNode(execPath: string): string {
  const at = execPath.indexOf("/Cellar/");
  const link = at < 0 ? execPath : join(execPath.slice(0, at), "bin", "node");
  return existsSync(link) && realpathSync(link) === realpathSync(execPath) ? link : execPath;
}

import { existsSync, realpathSync } from "node:fs";
import { join, posix, win32 } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { packageFolder, packageVersion } from "../../system/package-folder.ts";
import { UsageError } from "../../system/usage-error.ts";
import type { HookedAgent } from "../coding-agent.ts";

/**
 * The shells in which agents run a hook's command.
 * `any-windows`: any shell of Windows. `javascript`: no shell, because the agent loads a module.
 */
export type CommandShell = "posix" | "powershell" | "any-windows" | "javascript";

/** What a person chose when the hook was wired. */
export interface HookChoice {
  /** Whether somebody watches. Undefined: as the agent says. */
  readonly mode?: "attended" | "unattended" | undefined;
  /** Whether a run gets a second chance before it is ended. */
  readonly startsOver: boolean;
}

interface HookCommandOptions extends HookChoice, InstalledHook {
  readonly agent: Pick<HookedAgent, "name" | "hook">;
  /** The folder of what hooks keep. */
  readonly state: string;
  /**
   * Whether it asks for a status line.
   * @default false
   */
  readonly isStatusLine?: boolean | undefined;
}

const PLAIN_WORD = /^[\w@%+=:,./-]{1,1000}$/;
/** `cmd` replaces variables between percent signs even within quotes. */
const UNQUOTABLE = /["%!\r\n]/;
/** The hook ends by itself before the agent gives up. */
const SECONDS = 1;

/**
 * The command that an agent runs at every event, quoted for a shell. All its paths are absolute, and it ends with success whatever
 * happens to them. Throws a `UsageError` for a path that cannot be quoted.
 */
export function hookCommand(options: HookCommandOptions, shell: CommandShell): string {
  const { folder, node, state } = options;
  if (shell === "javascript") return pluginCall(options);
  const path = hookPath(options);
  if (shell === "posix") return posixCommand(options, [String(SECONDS), path]);
  const words = [node, win32.join(folder, "main.js"), state, node];
  const rest = [String(SECONDS), `"${path}"`, "--plain"];
  if (shell === "powershell") return ["&", ...words.map(inPowerShell), ...rest, "2>$null; exit 0"].join(" ");
  for (const word of words)
    if (UNQUOTABLE.test(word)) throw new UsageError(`a path that no shell can be told safely: ${word}`);
  // Because the first word has no quotes, `cmd` does not remove the outermost quotes. PowerShell runs it, too.
  return ["cmd /d /c call", ...words.map((word) => `"${word}"`), ...rest].join(" ");
}

/** The first words are fixed: whatever they are replaced by, the command ends with success. */
function posixCommand({ agent, folder, state, node }: HookCommandOptions, words: readonly string[]): string {
  const seen = (agent.hook.variables ?? []).map((name) => `\${${name}-}`).join(",");
  const all = ["/bin/sh", posix.join(folder, "hook.sh"), state, node, ...words].map(inPosix);
  return `${all.join(" ")}${seen === "" ? "" : ` "${seen}"`} 2>/dev/null || :`;
}

/** The path of the question to the resident: whose event it is, our version, and what was chosen. */
function hookPath({ agent, mode, startsOver, isStatusLine = false }: HookCommandOptions): string {
  const chosen = [`v=${packageVersion()}`, ...(mode ? [`mode=${mode}`] : []), ...(startsOver ? ["start-over=1"] : [])];
  return `${isStatusLine ? "status-line" : "hook"}/${agent.name}?${chosen.join("&")}`;
}

/** A path for a POSIX shell. On Windows that is Git's shell, which accepts `/` in paths. */
export function slashed(path: string, platform: NodeJS.Platform): string {
  return platform === "win32" ? path.replaceAll("\\", posix.sep) : path;
}

/** Whether a command in an agent's settings starts our hook, of any version and from any folder. */
export function isOwnCommand(command: unknown): boolean {
  if (typeof command !== "string" || command.length > MAX_COMMAND || command.includes("\n")) return false;
  return (OWN_PROGRAM.test(command) && OWN_END.test(command)) || OWN_CALL.test(command);
}

/** What was chosen when one of our commands was written. */
export function choiceIn(command: string): HookChoice {
  const [, mode] = /\bmode(?:=|: ")(attended|unattended)\b/.exec(command) ?? [];
  return { mode: mode as HookChoice["mode"], startsOver: /[?&]start-over=1\b|\bstartsOver: true\b/.test(command) };
}

/**
 * The script that one of our commands runs, and the Node that it starts the resident with. A plugin has no script. Neither is known on
 * Windows, where Node runs the command itself.
 */
export function programsIn(command: string): { readonly script?: string; readonly node?: string } {
  const words = posixWords(command);
  const at = words.findIndex((word) => word.endsWith("/hook.sh"));
  const node = words[at + 2];
  if (at >= 0 && node !== undefined) return { script: words[at]!, node };
  const [, text] = /\bnode: ("(?:[^"\\]|\\.)*")/.exec(command) ?? [];
  return text === undefined ? {} : { node: String(JSON.parse(text)) };
}

/** The program of the hook, and what its command ends with: there is nothing behind it. */
const OWN_PROGRAM = /[\\/]agents[\\/]hook-client[\\/](?:hook\.sh|main\.[jt]s)['"]? /;
const OWN_END =
  /['" ](?:hook|status-line)\/[a-z-]+\?[\w.=&-]+['"]?(?: "[${}\w,-]+")?(?: --plain)?(?: 2>\/dev\/null \|\| :| 2>\$null; exit 0)?\s?$/;

const OWN_CALL = /^\(await import\("file:[^"\s]+\/agents\/[a-z]+\/plugin\.[jt]s"\)\)\.createDoomloop\(\{[^{}\n]*\}\)$/;
const MAX_COMMAND = 4_000;

/** A call of the plugin in the agent's folder, beside the folder of the hook. */
function pluginCall({ agent, folder, node, state, mode, startsOver }: HookCommandOptions): string {
  const isWindows = /^[a-z]:\\/i.test(folder);
  const { dirname, join } = isWindows ? win32 : posix;
  const name = import.meta.url.endsWith(".ts") ? "plugin.ts" : "plugin.js";
  // A path of Windows is not a valid module name.
  const url = pathToFileURL(join(dirname(folder), agent.name, name), { windows: isWindows }).href;
  const options = [
    `state: ${JSON.stringify(state)}`,
    `node: ${JSON.stringify(node)}`,
    ...(mode ? [`mode: "${mode}"`] : []),
    ...(startsOver ? ["startsOver: true"] : []),
  ];
  return `(await import(${JSON.stringify(url)})).createDoomloop({ ${options.join(", ")} })`;
}

/** The words of a command that {@link inPosix} quoted. */
function posixWords(command: string): readonly string[] {
  const words = [""];
  let isQuoted = false;
  for (let at = 0; at < command.length; at++) {
    const character = command[at];
    if (character === "'") isQuoted = !isQuoted;
    else if (character === " " && !isQuoted) words.push("");
    else words[words.length - 1] += (character === "\\" && !isQuoted ? command[++at] : character) ?? "";
  }
  return words;
}

function inPosix(word: string): string {
  return PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function inPowerShell(word: string): string {
  return `'${word.replaceAll("'", "''")}'`;
}

/** Where Node and the hook are. Commands with these paths must still work next month. */
export interface InstalledHook {
  readonly node: string;
  /** The folder of the hook's programs. */
  readonly folder: string;
}

/** Finds Node and the hook. Throws a `UsageError` if the package is in a cache, which may be emptied. */
export function installedHook(execPath = process.execPath): InstalledHook {
  const root = import.meta.url.endsWith(".ts") ? "src" : "dist";
  const folder = fileURLToPath(new URL(`${root}/agents/hook-client`, packageFolder));
  if (/[\\/]_npx[\\/]/.test(folder)) {
    throw new UsageError(
      "npx keeps doomloop in a cache that gets emptied; hooks need a permanent install: npm install --global doomloop",
    );
  }
  return { node: lastingNode(execPath), folder };
}

/** Whether the hook is part of a project, as a dependency or as its source. Then an agent that works there can change it. */
export function isInProject({ folder }: InstalledHook): boolean {
  const at = folder.search(/[\\/]node_modules[\\/]/);
  if (at < 0) return true;
  const holder = folder.slice(0, at);
  return [".git", "package.json"].some((name) => existsSync(join(holder, name)));
}

/** Homebrew has a folder for each version, and a link to the latest that stays valid. */
function lastingNode(execPath: string): string {
  const at = execPath.indexOf("/Cellar/");
  const link = at < 0 ? execPath : join(execPath.slice(0, at), "bin", "node");
  return existsSync(link) && realpathSync(link) === realpathSync(execPath) ? link : execPath;
}

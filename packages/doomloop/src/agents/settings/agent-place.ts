import { statSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join, relative, sep } from "node:path";
import { homeFolder } from "../../system/home-folder.ts";
import { printable } from "../../system/printable.ts";
import { stateFolder } from "../../system/state-folder.ts";
import type { AgentPlace } from "./agent-settings.ts";

/** What commands about coding agents work with. */
export interface WiringSetting {
  readonly place: AgentPlace;
  /** The folder of what hooks keep. */
  readonly state: string;
  /** The user's current folder. */
  readonly folder: string;
}

/** The setting of this process. */
export function currentSetting(): WiringSetting {
  const { env, platform } = process;
  const home = homeFolder();
  return { place: { env, platform, home }, state: stateFolder({ env, platform, home }), folder: process.cwd() };
}

/** A path for people: printable, and with `~` for the home folder. */
export function shownPath(path: string, { home }: AgentPlace): string {
  const isBelow = home !== "" && path.startsWith(home.endsWith(sep) ? home : `${home}${sep}`);
  return printable(isBelow ? `~${sep}${path.slice(home.length).replace(/^[\\/]/, "")}` : path);
}

/** Finds a program on the path. Skips folders below the current one, because a repository must not decide what we run. */
export function findProgram(name: string, { env, platform }: AgentPlace, folder: string): string | undefined {
  const names = platform === "win32" ? [`${name}.exe`, `${name}.cmd`] : [name];
  for (const entry of (env.PATH ?? env.Path ?? "").split(delimiter)) {
    if (!isAbsolute(entry) || isWithin(folder, entry) || isAbove(folder, entry)) continue;
    const found = names.map((one) => join(entry, one)).find(isFile);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a program is a package of a project around this folder. That is not run, for the same reason. */
export function isPackage(name: string, folder: string): boolean {
  if (isFile(join(folder, "node_modules/.bin", name))) return true;
  return dirname(folder) !== folder && isPackage(name, dirname(folder));
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !way.startsWith("..") && !isAbsolute(way);
}

/** Whether a path has the programs of a project around this folder, which `npm run` puts first. */
function isAbove(folder: string, path: string): boolean {
  const parent = dirname(path);
  return basename(path) === ".bin" && basename(parent) === "node_modules" && isWithin(dirname(parent), folder);
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

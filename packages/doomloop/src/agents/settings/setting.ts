import { homedir } from "node:os";
import { sep } from "node:path";
import { printable } from "../../system/printable.ts";
import { stateFolder } from "../../system/state-folder.ts";
import type { AgentPlace } from "./agent-settings.ts";

/** Where commands about coding agents work. */
export interface WiringSetting {
  readonly place: AgentPlace;
  /** The folder of what hooks keep. */
  readonly state: string;
  /** The folder that the user is in. */
  readonly folder: string;
}

/** The setting of this process. */
export function currentSetting(): WiringSetting {
  const { env, platform } = process;
  const home = homedir();
  return { place: { env, platform, home }, state: stateFolder({ env, platform, home }), folder: process.cwd() };
}

/** A path as people know it: printable, and with `~` for the home folder. */
export function shownPath(path: string, { home }: AgentPlace): string {
  const isBelow = home !== "" && path.startsWith(home.endsWith(sep) ? home : `${home}${sep}`);
  return printable(isBelow ? `~${sep}${path.slice(home.length).replace(/^[\\/]/, "")}` : path);
}

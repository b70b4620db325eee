import { homedir } from "node:os";
import { sep } from "node:path";
import { stateFolder } from "../state-folder.ts";
import { printable } from "../terminal/printable.ts";
import type { AgentPlace } from "./agents/agent-wiring.ts";

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

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Wire } from "./model-turn.ts";

/** What an agent finds when it is started. */
export interface AgentPlace {
  /** A home of its own. */
  readonly home: string;
  /** The folder that it works in. */
  readonly folder: string;
  readonly modelUrl: string;
  /** Where hooks keep their state. */
  readonly state: string;
  /** The command of the hook, program first; undefined where it is to run without. */
  readonly hook: readonly string[] | undefined;
}

export interface AgentStart {
  readonly program: string;
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A coding agent as the contract drives it. */
export interface CodingAgent {
  readonly name: string;
  readonly wire: Wire;
  /** What its hooks can do where nobody watches, as it was seen to do it. */
  readonly can: { readonly refuse: boolean; readonly stop: boolean };
  /** The request at which a detector of its own, which cannot be switched off, ends a loop. */
  readonly endsItselfAt?: number;
  /** A call that runs a command in its shell. */
  shell(command: string): { readonly tool: string; readonly args: object };
  /** Writes its settings, the hook among them, and says how it is started. */
  prepare(place: AgentPlace): AgentStart;
}

/** A command for a settings file, in which paths may have spaces. */
export function commandLine(words: readonly string[]): string {
  return words.map((word) => (/[^\w./:\\-]/.test(word) ? `"${word}"` : word)).join(" ");
}

/** Settings of hooks as Claude Code and its relatives write them. */
export function claudeLikeHooks(events: readonly string[], handler: object): object {
  return Object.fromEntries(events.map((event) => [event, [{ matcher: "*", hooks: [handler] }]]));
}

export function writeSettings(path: string, settings: object | string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof settings === "string" ? settings : JSON.stringify(settings));
}

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
  /** What `XDG_STATE_HOME` is set to, which hooks keep their state below. */
  readonly state: string;
}

export interface AgentStart {
  readonly program: string;
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface EndedRun {
  /** The words of a command line with which the agent prints JSON. */
  json(words: readonly string[]): readonly string[];
  readonly exitCode: number;
  /** What it prints, among other things. */
  readonly prints: readonly string[];
  /**
   * Calls do not name the folder that the agent works in, so `doomloop log --here` does not know of the end.
   * @default false
   */
  readonly isNowhere?: boolean;
}

/** A coding agent as the contract drives it. */
export interface CodingAgent {
  readonly name: string;
  readonly wire: Wire;
  /** What its hooks can do where nobody watches, as it was seen to do it. */
  readonly can: { readonly refuse: boolean; readonly stop: boolean };
  /** The request at which a detector of its own, which cannot be switched off, ends a loop. */
  readonly endsItselfAt?: number;
  /** What a script sees of a run that the hook ended, or whose calls it refused until the agent gave up. */
  readonly ended: EndedRun;
  /** A call that runs a command in its shell. */
  shell(command: string): { readonly tool: string; readonly args: object };
  /** A call of a tool other than its shell, which fails in the same way each time. */
  failing?(place: AgentPlace): { readonly tool: string; readonly args: object };
  /**
   * How often a test is repeated, for an agent that loses the output of commands now and then, with and without hooks.
   * @default 0
   */
  readonly retries?: number;
  /** Writes its settings, and says how it is started. */
  prepare(place: AgentPlace): AgentStart;
  /**
   * Adds the hook to those settings. `words` are options of `doomloop init`.
   * @default as `doomloop init` does
   */
  addHook?(place: AgentPlace, words: readonly string[]): void;
}

/** Settings of hooks as Claude Code and its relatives write them. */
export function claudeLikeHooks(events: readonly string[], handler: object): object {
  return Object.fromEntries(events.map((event) => [event, [{ matcher: "*", hooks: [handler] }]]));
}

export function writeSettings(path: string, settings: object | string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof settings === "string" ? settings : JSON.stringify(settings));
}

import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { FindingKind, GuardOptions } from "doomloop";
import type { Action } from "../../packages/doomloop/src/core/decision.ts";
import type { AgentEvent } from "../../packages/doomloop/src/core/event.ts";

/** Where the guard speaks. Places are ids of events: a call and its result share one. */
export interface Speech {
  /** Nothing is said before this. */
  readonly from: string;
  /** The first word falls here at the latest. */
  readonly by: string;
  /** Nothing is said after this. The end of the scenario where it is missing. */
  readonly until?: string;
  /** What the first word may call it. */
  readonly kinds?: readonly FindingKind[];
  /** The strongest action that is right here. */
  readonly atMost?: Action;
  /** Every action in order, where the order is the point. */
  readonly actions?: readonly Action[];
}

/** One scenario: a run in the project's trace format, with what it stands for and what must happen. */
export interface Scenario {
  /** Folder and name of the run. */
  readonly run: string;
  /** Rows of the table in the README. */
  readonly classes: readonly string[];
  /** Completes "it leaves alone ...", "it notices ..." or "it answers ...". */
  readonly standsFor: string;
  readonly because: string;
  readonly expect: "continue throughout" | readonly Speech[];
  readonly options?: GuardOptions;
  /** What the host does besides watching. */
  readonly host?: "allows the first finding";
  /** Why the guard of today fails this: the test then expects it to fail. */
  readonly today?: string;
  readonly events: readonly (AgentEvent & { readonly id?: string })[];
}

/** Folders of scenarios, and how a title begins. */
export const FOLDERS = { innocent: "leaves alone", loops: "notices", answers: "answers" } as const;

/** All scenarios, folder by folder in the order of their names. */
export function readScenarios(): readonly Scenario[] {
  return Object.keys(FOLDERS).flatMap((folder) =>
    globSync(resolve(import.meta.dirname, folder, "*.json"))
      .flatMap((file) => JSON.parse(readFileSync(file, "utf8")) as Scenario[])
      .sort((one, other) => (one.run < other.run ? -1 : 1)),
  );
}

import { join } from "node:path";
import { readOwnFile, replaceFile } from "../../system/private-files.ts";
import { countOf, jsonIn, recordOf } from "../../transcripts/foreign-value.ts";
import { HOOKED_AGENTS } from "../index.ts";

/** What is known about the events of each agent, by its name. Nothing of what was in them is kept. */
export type AgentEvents = Readonly<Record<string, { readonly unreadable: UnreadableEvents }>>;

/** How many events reached an agent's hook in a form that it does not know, and when the latest came. */
export interface UnreadableEvents {
  readonly count: number;
  readonly at: number;
}

const MAX_BYTES = 65_536;
const SAVED_EVERY_MS = 60_000;
/** They are forgotten when none has come for so long. */
const KEPT_MS = 7 * 86_400_000;

/** Counts events, and saves the counts once a minute at most. */
export function createAgentEvents(state: string, now: () => number, onFault: (fault: unknown) => void) {
  let unsaved: AgentEvents = {};
  let savedAt = Number.NEGATIVE_INFINITY;
  return {
    unsaved: () => unsaved,
    noteUnreadable(agent: string): void {
      const count = (unsaved[agent]?.unreadable.count ?? 0) + 1;
      unsaved = { ...unsaved, [agent]: { unreadable: { count, at: now() } } };
    },
    /** Saves what was counted, unless it is too early for that. Call it when the agent has its answer. */
    save(isLast = false): void {
      const isEarly = !isLast && Math.abs(now() - savedAt) < SAVED_EVERY_MS;
      if (isEarly || Object.keys(unsaved).length === 0) return;
      savedAt = now();
      try {
        // Read again, because another resident may have saved more since.
        replaceFile(fileOf(state), `${JSON.stringify(readAgentEvents(state, savedAt, unsaved))}\n`);
        unsaved = {};
      } catch (fault) {
        onFault(fault);
      }
    },
  };
}

/** What was saved, and what a resident that runs has not saved yet. */
export function readAgentEvents(state: string, now: number, unsaved: AgentEvents = {}): AgentEvents {
  const saved = recordOf(jsonIn(readOwnFile(fileOf(state), MAX_BYTES)));
  return Object.fromEntries(
    HOOKED_AGENTS.flatMap(({ name }) => {
      const found = [saved, unsaved].flatMap((events) => unreadableIn(recordOf(events?.[name])?.unreadable, now));
      if (found.length === 0) return [];
      const count = found.reduce((sum, one) => sum + one.count, 0);
      return [[name, { unreadable: { count, at: found.at(-1)!.at } }]];
    }),
  );
}

function unreadableIn(value: unknown, now: number): readonly UnreadableEvents[] {
  const { count, at } = recordOf(value) ?? {};
  const found = { count: countOf(count), at: countOf(at) };
  return found.count > 0 && Math.abs(now - found.at) < KEPT_MS ? [found] : [];
}

function fileOf(state: string): string {
  return join(state, "events.json");
}

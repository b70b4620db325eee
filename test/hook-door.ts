import { createHookDoor } from "../packages/doomloop/src/service/hook-door.ts";
import { createSessions, type Sessions } from "../packages/doomloop/src/service/sessions.ts";

export interface TestDoor {
  /** Tells an event, and returns the text of the answer. `path` is what a hook's command asks for: `hook/codex?mode=unattended`. */
  tell(path: string, event: unknown): Promise<string>;
  readonly sessions: Sessions;
  readonly faults: readonly unknown[];
}

/** An agent is halted before the answer, unless a test is about that. */
const PATIENT_MS = 60_000;

/** The resident guard without its socket. */
export function openDoor(state: string, now: () => number = Date.now, momentMs: number = PATIENT_MS): TestDoor {
  const faults: unknown[] = [];
  const onFault = (fault: unknown): void => void faults.push(fault);
  const sessions = createSessions({ state, now, onFault });
  const door = createHookDoor({ state, sessions, now, momentMs, onFault, onEntry() {} });
  return {
    async tell(path, event) {
      const { pathname, searchParams } = new URL(path, "http://doomloop/");
      const { text } = await door.answer(pathname, searchParams, JSON.parse(JSON.stringify(event ?? null)));
      sessions.save();
      door.events.save();
      return text;
    },
    sessions,
    faults,
  };
}

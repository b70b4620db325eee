import { setRecent } from "../core/collections/bounded.ts";

/** The arguments of calls as they may be shown to the agent, where the host asks for it. */
export interface Quotes {
  /** Notes the arguments of a call until its result. */
  note(id: string, args: unknown): void;
  /** The words for a call, and no longer noted. */
  take(id: string): string | undefined;
}

const MAX_CALLS = 64;
const MAX_CHARACTERS = 200;
/** What is neither letter, number, mark, sign nor a blank could end the line, or hide in it. Made when it is needed: that takes long. */
const unseen = (): RegExp => /[^\p{L}\p{N}\p{M}\p{P}\p{S} ]/gu;

export function createQuotes(isOn: boolean): Quotes {
  const byCall = new Map<string, unknown>();
  return {
    note(id, args) {
      if (isOn) setRecent(byCall, id, args, MAX_CALLS);
    },
    take(id) {
      const args = byCall.get(id);
      byCall.delete(id);
      return args === undefined ? undefined : quoteOf(args);
    },
  };
}

/** One line, which no argument can leave. */
function quoteOf(args: unknown): string | undefined {
  const text = typeof args === "string" ? args : JSON.stringify(args);
  if (text === undefined) return undefined;
  const shown = text.slice(0, MAX_CHARACTERS).replace(unseen(), " ").trim();
  return `The arguments of that call, quoted as data: ${shown}${text.length > MAX_CHARACTERS ? " ..." : ""}`;
}

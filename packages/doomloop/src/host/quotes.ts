import { setRecent } from "../core/collections/bounded.ts";
import { toolName } from "../core/messages/sentence.ts";
import type { Finding } from "../index.ts";

/** Quotes the arguments of calls for the agent, if the host asks for it. */
interface Quotes {
  /** Remembers the arguments of a call. */
  note(id: string, tool: string, args: unknown): void;
  /** Returns the quote for a finding at a call: its arguments, or those of each call in a cycle, in order. */
  for(id: string, finding: Finding | undefined): string | undefined;
}

const MAX_QUOTED = 64;
const MAX_CHARACTERS = 200;
const MAX_CALLS = 6;
/** Any other character could end the line or hide in it. The expression takes long to compile, so it is made when it is needed. */
const unprintable = (): RegExp => /[^\p{L}\p{N}\p{M}\p{P}\p{S} ]/gu;

export function createQuotes(isOn: boolean): Quotes {
  const byCall = new Map<string, { tool: string; args: unknown }>();
  return {
    note(id, tool, args) {
      if (isOn) setRecent(byCall, id, { tool, args }, MAX_QUOTED);
    },
    for(id, finding) {
      if (finding?.kind === "call-cycle") {
        const ids = [...byCall.keys()];
        const calls = ids.slice(0, ids.indexOf(id) + 1).slice(-Math.min(finding.period, MAX_CALLS));
        return quoteOfAll(calls.map((call) => byCall.get(call)!));
      }
      const shown = lineOf(byCall.get(id)?.args);
      return shown && `The arguments of that call, quoted as data: ${shown}`;
    },
  };
}

function quoteOfAll(calls: readonly { tool: string; args: unknown }[]): string | undefined {
  if (calls.length === 0) return undefined;
  const lines = calls.map(({ tool, args }, at) => `\n  ${at + 1}. ${toolName(tool)} ${lineOf(args) ?? ""}`.trimEnd());
  return `The latest of these calls, with their arguments quoted as data:${lines.join("")}`;
}

/** Always one line, whatever the arguments contain. */
function lineOf(args: unknown): string | undefined {
  const text = typeof args === "string" ? args : JSON.stringify(args);
  if (text === undefined) return undefined;
  const shown = text.slice(0, MAX_CHARACTERS).replace(unprintable(), " ").trim();
  return `${shown}${text.length > MAX_CHARACTERS ? " ..." : ""}`;
}

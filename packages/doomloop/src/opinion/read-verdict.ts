import type { OpinionVerdict } from "../core/question.ts";

/** What an answer says, and since which call. */
export interface ReadVerdict {
  readonly verdict: OpinionVerdict;
  readonly since?: number;
}

const VERDICTS: readonly unknown[] = ["stuck", "working", "unsure"];
const MAX_ANSWER = 4_000;
const OBJECT = /\{[^{}]*\}/g;

/**
 * Reads an answer strictly: one JSON object with a verdict, alone or in a text. Undefined for everything else, such as two objects that do
 * not agree, and the rules then decide alone.
 */
export function readVerdict(answer: unknown): ReadVerdict | undefined {
  if (typeof answer !== "string") return verdictIn(answer);
  if (answer.length > MAX_ANSWER) return undefined;
  const found = (answer.match(OBJECT) ?? []).flatMap((text) => verdictIn(parse(text)) ?? []);
  const [first] = found;
  return first !== undefined && found.every(({ verdict }) => verdict === first.verdict) ? first : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function verdictIn(value: unknown): ReadVerdict | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { verdict, since } = value as { verdict?: unknown; since?: unknown };
  if (!VERDICTS.includes(verdict)) return undefined;
  const isCall = typeof since === "number" && Number.isInteger(since) && since >= 0;
  return { verdict: verdict as OpinionVerdict, ...(isCall && { since }) };
}

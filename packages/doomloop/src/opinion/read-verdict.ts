import { OPINION_VERDICTS, type OpinionVerdict } from "../core/question.ts";

/** What an answer says, and since which call. */
export interface ReadVerdict {
  readonly verdict: OpinionVerdict;
  readonly since?: number;
}

const VERDICTS: readonly unknown[] = OPINION_VERDICTS;
const MAX_ANSWER = 4_000;
const OBJECT = /\{[^{}]*\}/g;
const CODE_MARK = "```";

/**
 * Reads an answer strictly: a JSON object with a verdict, as the last line of a text. A model may think aloud before it; but what it quotes
 * from the log is not its answer, so a second verdict that says something else makes it none. Undefined for everything else, and the rules
 * then decide alone.
 */
export function readVerdict(answer: unknown): ReadVerdict | undefined {
  if (typeof answer !== "string") return verdictIn(answer);
  if (answer.length > MAX_ANSWER) return undefined;
  const last = lastObject(answer);
  const said = last === undefined ? undefined : readObject(last);
  const others = (answer.match(OBJECT) ?? []).flatMap((text) => readObject(text) ?? []);
  return others.every(({ verdict }) => verdict === said?.verdict) ? said : undefined;
}

/** The object that an answer ends with, if its line holds nothing else. A small model may write one over several lines. */
function lastObject(answer: string): string | undefined {
  const trimmed = answer.trimEnd();
  const text = trimmed.endsWith(CODE_MARK) ? trimmed.slice(0, -CODE_MARK.length).trimEnd() : trimmed;
  const start = text.lastIndexOf("{");
  const lineStart = text.lastIndexOf("\n", start) + 1;
  const before = text.slice(lineStart, Math.max(0, start)).trim();
  // After its thoughts, a model may go on in the same line.
  const isAlone = before === "" || before === `${CODE_MARK}json` || before.endsWith("</think>");
  return start >= 0 && isAlone ? text.slice(start) : undefined;
}

function readObject(text: string): ReadVerdict | undefined {
  // Of two equal names, one of them in escapes perhaps, the later would count. An answer has no reason for that.
  if (text.split('"verdict"').length > 2 || text.includes("\\u")) return undefined;
  try {
    return verdictIn(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function verdictIn(value: unknown): ReadVerdict | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { verdict, since } = value as { verdict?: unknown; since?: unknown };
  if (!VERDICTS.includes(verdict)) return undefined;
  const isCall = typeof since === "number" && Number.isSafeInteger(since) && since >= 0;
  return { verdict: verdict as OpinionVerdict, ...(isCall && { since }) };
}

import { hash } from "node:crypto";
import type { TranscriptUsage } from "../../transcripts/reader.ts";
import type { AnswerRecord } from "../run-record.ts";
import type { AnswerLedger } from "./answer-ledger.ts";
import type { Spending } from "./spending.ts";

/** Digits of a hash: few enough for it to be an exact number. */
export const ID_DIGITS = 12;
const NO_ID = "0".repeat(ID_DIGITS);

/** What each answer of a run took, by name. Null where none has a name, or the run is so long that answers share a place. */
export function answersOf(ledger: AnswerLedger, agent: string, spending: Spending): AnswerRecord | null {
  const places = ledger.places();
  if (!ledger.isWhole() || !places.some(({ usage }) => usage?.id !== undefined)) return null;
  const amounts = (measure: Spending["tokens"]): number[] => places.map((_, at) => measure(at - 1, at)!.high);
  return {
    ids: places.map(({ usage }) => hashOf(agent, usage)).join(""),
    calls: places.map(({ calls }) => calls),
    tokens: amounts(spending.tokens),
    costUsd: spending.costUsd(-1, -1) === null ? null : amounts(spending.costUsd),
  };
}

/** Some servers give every answer the same id: only one that took the same as well is a copy. */
function hashOf(agent: string, usage: TranscriptUsage | undefined): string {
  if (typeof usage?.id !== "string" || usage.id === "") return NO_ID;
  const { id, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const name = [agent, inputTokens, outputTokens, cacheReadTokens ?? 0, cacheWriteTokens ?? 0, id].join("\n");
  return hash("sha256", name, "hex").slice(0, ID_DIGITS);
}

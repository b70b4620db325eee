import type { CallEvent } from "../event.ts";
import { byteWriter } from "../identity/byte-writer.ts";
import { readArguments } from "../identity/call-arguments.ts";
import { callDigest } from "../identity/call-digest.ts";
import type { Platform } from "../identity/canonical.ts";
import type { Digest } from "../identity/digest.ts";
import type { ToolRule } from "../policy/tool-rules.ts";
import { type CallFacts, factsOf, factsOfOpaque } from "./call-facts.ts";
import type { OutcomeViews } from "./outcome-views.ts";
import type { RecencyTable } from "./recency-table.ts";

export interface IdentifiedCall {
  readonly call: Digest;
  readonly facts: CallFacts;
  /** The arguments can be compared; otherwise the call equals nothing. */
  readonly isComparable: boolean;
}

/**
 * Identifies a call and reads what it does.
 *
 * What is read is kept in `known` by call, which is a cache only: what it forgets is read again, to the same result.
 */
export function identifyCall(
  event: CallEvent,
  index: number,
  rule: ToolRule,
  platform: Platform,
  views: OutcomeViews,
  known: RecencyTable<CallFacts>,
): IdentifiedCall {
  const { tool } = event;
  const readOnly = typeof event.readOnly === "boolean" ? event.readOnly : undefined;
  const args = readArguments(event.args);
  const call = callDigest(tool, args, platform);
  if (call === undefined)
    return { call: uniqueDigest("call", index), facts: factsOfOpaque(tool, readOnly, rule), isComparable: false };
  views.keepArguments(index);
  const hinted = readOnly === undefined ? call : `${call}${readOnly}`;
  let facts = known.get(hinted);
  if (facts === undefined) {
    facts = factsOf(tool, args, readOnly, rule, platform);
    known.set(hinted, facts);
  }
  return { call, facts, isComparable: true };
}

/** A digest for something that equals nothing, not even itself. */
export function uniqueDigest(what: string, index: number): Digest {
  byteWriter.begin();
  byteWriter.byte(0);
  byteWriter.text(what);
  byteWriter.float64(index);
  return byteWriter.digest();
}

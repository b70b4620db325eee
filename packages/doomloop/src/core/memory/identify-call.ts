import type { CallEvent } from "../event.ts";
import { byteWriter } from "../identity/byte-writer.ts";
import { readArguments } from "../identity/call-arguments.ts";
import { callDigest } from "../identity/call-digest.ts";
import type { Platform } from "../identity/canonical.ts";
import type { Digest } from "../identity/digest.ts";
import { fingerprintOf } from "../identity/fingerprint.ts";
import type { ToolRule } from "../policy/tool-rules.ts";
import { editPair } from "../progress/edit-pair.ts";
import { type Effect, readCall } from "../progress/read-call.ts";
import type { OutcomeViews } from "./outcome-views.ts";
import type { RecencyTable } from "./recency-table.ts";

/** What is read from a call once, however often it is made. */
export interface CallFacts {
  readonly effect: Effect;
  readonly like: Digest | undefined;
  readonly edit: Digest | undefined;
}

export interface IdentifiedCall extends CallFacts {
  readonly call: Digest;
}

/**
 * Identifies a call and reads what it does.
 *
 * Reading costs several times what identifying costs (a command is parsed), so it is done once per distinct call and
 * kept in `known`, which is a cache only: what it forgets is read again, to the same result.
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
  const args = readArguments(event.args);
  const exact = callDigest(tool, args, platform);
  if (exact === undefined) {
    const facts = {
      effect: withRule(readCall(tool, undefined, event.readOnly).effect, rule),
      like: undefined,
      edit: undefined,
    };
    return { call: uniqueDigest("call", index), ...facts };
  }
  views.keepArguments(index);
  const hinted = event.readOnly === undefined ? exact : `${exact}${event.readOnly}`;
  let facts = known.get(hinted);
  if (facts === undefined) {
    facts = readFacts(tool, args, event.readOnly, rule, platform, exact);
    known.set(hinted, facts);
  }
  return { call: exact, ...facts };
}

/** A digest for something that equals nothing, not even itself. */
export function uniqueDigest(what: string, index: number): Digest {
  byteWriter.begin();
  byteWriter.byte(0);
  byteWriter.text(what);
  byteWriter.float64(index);
  return byteWriter.digest();
}

function readFacts(
  tool: string,
  args: unknown,
  isReadOnly: boolean | undefined,
  rule: ToolRule,
  platform: Platform,
  exact: Digest,
): CallFacts {
  const reading = readCall(tool, args, isReadOnly);
  const effect = withRule(reading.effect, rule);
  const like = fingerprintOf(tool, args, reading, rule.identity, platform);
  return {
    effect,
    like: like === exact ? undefined : like,
    edit: effect.kind === "change" ? editPair(args) : undefined,
  };
}

function withRule(effect: Effect, rule: ToolRule): Effect {
  if (rule.changes === undefined) return effect;
  return { ...effect, kind: rule.changes ? "change" : "look" };
}

import type { CallEvent, ResultEvent } from "../core/event.ts";
import { hintOf } from "../core/hints/calls.ts";
import { readArguments } from "../core/identity/call-identity.ts";
import { canonicalOf } from "../core/identity/canonical.ts";
import { type Digest, digestOf, digestToHex } from "../core/identity/digest.ts";
import { readText } from "../core/reading/result.ts";
import { isFailure } from "../core/reading/tell.ts";
import { platform } from "../platform.ts";
import { describeCall, shownTool } from "./describe-call.ts";
import type { ReportStep } from "./report/report.ts";
import { isoTime } from "./session-summary.ts";

/** One step as the transcript has it. */
export interface RawStep {
  /** Counted from 0. */
  readonly index: number;
  readonly event: CallEvent;
  readonly at: number | undefined;
  readonly result: ResultEvent | undefined;
}

const HASH_DIGITS = 10;
/** Longer names are a mistake, and are not compared. */
const MAX_TOOL_NAME = 1024;
const MAX_ARGUMENTS = 2_000;
const MAX_OUTPUT = 4_000;
/** Nobody compares more fields than this. */
const MAX_FIELDS = 100;

/** Describes a step for the report. With content, it includes arguments and output, both shortened. */
export function describeStep({ index, event, at, result }: RawStep, includesContent: boolean): ReportStep {
  const tool = toolOf(event);
  const args = readArguments(event.args);
  const output = result === undefined ? undefined : readText(result.output, platform).text;
  const step: ReportStep = {
    call: index + 1,
    tool: shownTool(tool),
    label: describeCall(tool, args),
    same: shortHash(callIdentity(tool, args)) ?? `call-${index + 1}`,
    outcome: result === undefined ? null : (shortHash(digestOf(result.digest ?? output ?? "")) ?? null),
    isFailing: result !== undefined && isFailure(hintOf(tool, args).effect, result, platform),
    at: isoTime(at),
  };
  if (!includesContent) return step;
  return {
    ...step,
    arguments: cutArguments(args, MAX_ARGUMENTS),
    ...(output === undefined ? {} : { output: output.slice(0, MAX_OUTPUT) }),
  };
}

/** The exact identity of a call: tool and canonical arguments. Undefined if the arguments cannot be compared. */
function callIdentity(tool: string, args: unknown): Digest | undefined {
  if (tool.length > MAX_TOOL_NAME || typeof args === "function") return undefined;
  const hasFields = typeof args === "object" && args !== null && (platform.isProxy(args) || !Array.isArray(args));
  const written = canonicalOf(hasFields ? args : { value: args }, platform, tool);
  return written && digestOf(hasFields ? written.text : `${written.text}!`);
}

/** The tool's name, or an empty string if the transcript has no valid one. */
export function toolOf(event: CallEvent): string {
  return typeof event.tool === "string" ? event.tool : "";
}

function shortHash(digest: string | undefined): string | undefined {
  return digest === undefined ? undefined : digestToHex(digest).slice(0, HASH_DIGITS);
}

/**
 * The arguments of a call as JSON, at most about `max` characters long.
 *
 * If they are longer, long fields are cut and short fields stay whole, so that a reader can still compare two calls
 * field by field. Anything that is not an object is cut at its end.
 */
export function cutArguments(args: unknown, max: number): string {
  const whole = textOf(args);
  if (whole.length <= max || typeof args !== "object" || args === null || Array.isArray(args))
    return whole.slice(0, max);
  const fields = Object.entries(args).slice(0, MAX_FIELDS);
  const texts = fields.map(([name, value]): [string, string] => [name.slice(0, max), textOf(value)]);
  const room = shareOut(
    texts.map(([, text]) => text.length),
    max,
  );
  const cut = texts.map(([name, text], at): [string, unknown] => [
    name,
    text.length <= room[at]!
      ? fields[at]![1]
      : `${text.slice(0, room[at]).toWellFormed()}… (${text.length} characters)`,
  ]);
  return textOf(Object.fromEntries(cut));
}

/** The number of characters each field may take: short fields get all they need, the others share the rest equally. */
function shareOut(lengths: readonly number[], max: number): readonly number[] {
  const shares = lengths.map(() => 0);
  const shortestFirst = [...lengths.keys()].sort((one, other) => lengths[one]! - lengths[other]!);
  let left = max;
  for (const [done, at] of shortestFirst.entries()) {
    shares[at] = Math.min(lengths[at]!, Math.floor(left / (lengths.length - done)));
    left -= shares[at]!;
  }
  return shares;
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    // Values from JSON always serialise. Values from a user's own reader may not.
    return "";
  }
}

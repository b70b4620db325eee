import type { CallEvent, ResultEvent } from "../core/event.ts";
import { readArguments } from "../core/identity/call-arguments.ts";
import { callIdentity } from "../core/identity/call-identity.ts";
import { digestOf, digestToHex } from "../core/identity/digest.ts";
import { outputText, saysIsError } from "../core/outcome/output-text.ts";
import { readFailure } from "../core/outcome/read-failure.ts";
import { platform } from "../platform.ts";
import { cutArguments } from "./cut-arguments.ts";
import { describeCall } from "./describe-call.ts";
import { isoTime } from "./iso-time.ts";
import type { ReportStep } from "./report/report.ts";
import { shownTool } from "./shown-tool.ts";

/** A step as it was read. */
export interface RawStep {
  /** From 0. */
  readonly index: number;
  readonly event: CallEvent;
  readonly at: number | undefined;
  readonly result: ResultEvent | undefined;
}

const HASH_DIGITS = 10;
const MAX_ARGUMENTS = 2_000;
const MAX_OUTPUT = 4_000;

/** A step as a report has it. With content, arguments and output are there, cut. */
export function describeStep({ index, event, at, result }: RawStep, includesContent: boolean): ReportStep {
  const tool = toolOf(event);
  const args = readArguments(event.args);
  const output = result === undefined ? undefined : outputText(result.output, platform);
  const step: ReportStep = {
    call: index + 1,
    tool: shownTool(tool),
    label: describeCall(tool, args),
    same: shortHash(callIdentity(tool, args, platform)?.digest) ?? `call-${index + 1}`,
    outcome: result === undefined ? null : (shortHash(digestOf(result.digest ?? output ?? "")) ?? null),
    isFailing: isFailing(result, output),
    at: isoTime(at),
  };
  if (!includesContent) return step;
  return {
    ...step,
    arguments: cutArguments(args, MAX_ARGUMENTS),
    ...(output === undefined ? {} : { output: output.slice(0, MAX_OUTPUT) }),
  };
}

/** The name of a call's tool; empty if it is none. */
export function toolOf(event: CallEvent): string {
  return typeof event.tool === "string" ? event.tool : "";
}

function isFailing(result: ResultEvent | undefined, output = ""): boolean {
  if (result === undefined) return false;
  const told = saysIsError(result.output, platform) ? true : result.error;
  return readFailure(output, typeof told === "boolean" ? told : undefined) !== undefined;
}

function shortHash(digest: string | undefined): string | undefined {
  return digest === undefined ? undefined : digestToHex(digest).slice(0, HASH_DIGITS);
}

import { type Digest, digestOfAll } from "../identity/digest.ts";
import type { Platform } from "../identity/platform.ts";
import { failingTests } from "../outcome/answer-says.ts";
import { describeOutcome } from "../outcome/describe-outcome.ts";
import { readFailure } from "../outcome/read-failure.ts";
import { outputText } from "../outcome/read-outcome.ts";
import { isCheckRun, isCommit } from "../shell/is-check-run.ts";
import { shellCommand } from "./read-call.ts";

/** What a result says about the work so far. `confirmed`: a check has passed, or something was committed. */
export type CheckReading =
  | { readonly verdict: "confirmed" }
  /** A check has failed. `failure` is the same each time that it fails in the same way. */
  | { readonly verdict: "failed"; readonly failure: Digest };

/** A call with its result, as a host reports it. */
interface Checked {
  readonly tool: string;
  readonly args: unknown;
  readonly output: unknown;
  /** Whether the call failed, if the host knows. */
  readonly error: boolean | undefined;
}

const MAX_READ = 8_192;
/** `12 passing`, `Tests: 3 passed`: a runner that nobody knows says that tests pass. */
const SAYS_PASSED = /\b(?:[1-9]\d{0,6}) (?:tests? )?(?:passing|passed|succeeded|ok)\b/i;

/**
 * Reads what a result says about the work. Undefined if it says nothing.
 *
 * If in doubt, the work is confirmed: what is confirmed is never taken away.
 */
export function readCheck({ tool, args, output, error }: Checked, platform: Platform): CheckReading | undefined {
  const command = shellCommand(tool, args);
  if (command === undefined) return undefined;
  const whole = outputText(output, platform);
  const text = whole.slice(-MAX_READ);
  const failing = failingTests(text);
  if (error !== true && SAYS_PASSED.test(text) && !failing) return { verdict: "confirmed" };
  const isCheck = isCheckRun(command);
  if (!isCheck && !isCommit(command)) return undefined;
  const failure = readFailure(whole, error);
  if (failure === undefined && !failing) return { verdict: "confirmed" };
  if (!isCheck) return undefined;
  const { digest } = describeOutcome(text);
  return { verdict: "failed", failure: digestOfAll("check", digest, String(failing ?? "")) };
}

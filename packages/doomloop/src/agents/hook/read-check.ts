import { type Digest, digestOfAll } from "../../core/identity/digest.ts";
import { failingTests } from "../../core/outcome/answer-says.ts";
import { maskText } from "../../core/outcome/mask-text.ts";
import { readFailure } from "../../core/outcome/read-failure.ts";
import { readText } from "../../core/outcome/read-outcome.ts";
import { readCall } from "../../core/progress/read-call.ts";
import { platform } from "../../platform.ts";

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
/** The end of an output tells how the check came out, and this much of it is compared. */
const MAX_COMPARED = 2_048;
/** `12 passing`, `Tests: 3 passed`: a runner that nobody knows says that tests pass. */
const SAYS_PASSED = /\b(?:[1-9]\d{0,6}) (?:tests? )?(?:passing|passed|succeeded|ok)\b/i;
/** Programs and scripts that say by their name that they check: `npm run build`, `./test.sh`. */
const NAMES_CHECK = /\b(?:tests?|specs?|checks?|verify|lint|build|compile|type-?check)\b|^make\b/;
const COMMIT = /\bgit (?:-\S{1,80} ){0,3}(?:commit|merge|rebase|cherry-pick|am)\b/;

/**
 * Reads what a result says about the work. Undefined if it says nothing.
 *
 * If in doubt, the work is confirmed: what is confirmed is never taken away.
 */
export function readCheck({ tool, args, output, error }: Checked): CheckReading | undefined {
  const { command, effect } = readCall(tool, args);
  if (command === undefined) return undefined;
  const whole = readText(output, platform).text;
  const text = whole.slice(-MAX_READ);
  const failing = failingTests(text);
  if (error !== true && SAYS_PASSED.test(text) && !failing) return { verdict: "confirmed" };
  const isCheck = effect === "test" || (effect === "act" && NAMES_CHECK.test(command));
  if (!isCheck && !COMMIT.test(command)) return undefined;
  if (readFailure(whole, error, true) === undefined && !failing) return { verdict: "confirmed" };
  if (!isCheck) return undefined;
  const { digest } = maskText(text.slice(-MAX_COMPARED));
  return { verdict: "failed", failure: digestOfAll("check", digest, String(failing ?? "")) };
}

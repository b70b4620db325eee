import type { TellMisuse } from "../faults.ts";
import type { RepeatedCallFinding } from "../finding.ts";
import { repeatIdentity } from "../findings.ts";
import type { Digest } from "../identity/digest.ts";
import type { Judged } from "../judged.ts";
import type { OpenCall } from "../reading/run-memory.ts";
import type { ToolRule } from "./tool-rules.ts";

/** Calls that are remembered. */
const MAX_DONE = 512;

interface NeverAgainParts {
  readonly ruleOf: (tool: string) => ToolRule;
  /** The calls that were made. A restart does not clear them: it undoes no payment. */
  readonly done: Digest[];
  readonly tellMisuse: TellMisuse;
}

/** Carries out the rule `repeat: "never"`: an equal call is refused for as long as the run lives. */
export function createNeverAgain({ ruleOf, done, tellMisuse }: NeverAgainParts) {
  const isOnce = ({ call: { tool, isWayOut } }: OpenCall): boolean => ruleOf(tool).repeat === "never" && !isWayOut;

  const add = ({ strict: key }: OpenCall): void => {
    if (key === undefined || done.includes(key)) return;
    done.push(key);
    if (done.length <= MAX_DONE) return;
    done.shift();
    tellMisuse("never", `repeat: "never": the guard remembers ${MAX_DONE} calls; older ones may now be made again`);
  };

  return {
    /** Returns a finding if an equal call has succeeded, or is among those under way. */
    find(open: OpenCall, underWay: readonly OpenCall[]): RepeatedCallFinding | undefined {
      const { strict } = open;
      if (strict === undefined || !isOnce(open)) return undefined;
      const isUnderWay = underWay.some((other) => other.call.index !== open.call.index && other.strict === strict);
      return isUnderWay || done.includes(strict) ? findingOf(open) : undefined;
    },
    /** Notes a call with its outcome. */
    note({ open, step }: Judged): void {
      // A result that only sounds like a failure may be a success: a payment that mentions an error is a payment.
      if (isOnce(open) && step.failure?.isTold !== true) add(open);
    },
    /** Notes calls whose results will not come: they may have succeeded. */
    lose(underWay: readonly OpenCall[]): void {
      for (const open of underWay) if (isOnce(open)) add(open);
    },
  };
}

function findingOf({ call }: OpenCall): RepeatedCallFinding {
  return {
    kind: "repeated-call",
    loop: repeatIdentity(call),
    steps: [call.index],
    count: 2,
    weight: 2,
    confidence: 1,
    tools: [call.tool],
    evidence: { outcome: "blind", isFuzzy: false, isWaiting: false, isFailing: false, isBusy: false },
  };
}

import type { TellMisuse } from "../faults.ts";
import type { RepeatedCallFinding } from "../finding.ts";
import { type Digest, loopIdentity } from "../identity/digest.ts";
import type { Step } from "../memory/step.ts";
import { strictKey, type ToolRule } from "./tool-rules.ts";

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
  const isOnce = ({ tool, isWayOut }: Step): boolean => ruleOf(tool).repeat === "never" && !isWayOut;

  const keyOf = (step: Step): Digest => strictKey(step, ruleOf(step.tool));

  const add = (step: Step): void => {
    const key = keyOf(step);
    if (done.includes(key)) return;
    done.push(key);
    if (done.length <= MAX_DONE) return;
    done.shift();
    tellMisuse("never", `repeat: "never": the guard remembers ${MAX_DONE} calls; older ones may now be made again`);
  };

  return {
    /** Returns a finding if an equal call has succeeded, or is among those under way. */
    find(step: Step, underWay: readonly Step[]): RepeatedCallFinding | undefined {
      if (!isOnce(step)) return undefined;
      const key = keyOf(step);
      const isUnderWay = underWay.some(
        (other) => other.index !== step.index && other.tool === step.tool && keyOf(other) === key,
      );
      return isUnderWay || done.includes(key) ? findingOf(step) : undefined;
    },
    /** Notes a call with its outcome. */
    note(step: Step): void {
      if (!isOnce(step)) return;
      // A result that only sounds like a failure may be a success: a payment that mentions an error is a payment.
      if (step.failure?.isTold !== true) add(step);
    },
    /** Notes calls whose results will not come: they may have succeeded. */
    lose(underWay: readonly Step[]): void {
      for (const step of underWay) if (isOnce(step)) add(step);
    },
  };
}

function findingOf(step: Step): RepeatedCallFinding {
  return {
    kind: "repeated-call",
    loop: loopIdentity("repeated-call", step.call),
    steps: [step.index],
    count: 2,
    weight: 1,
    confidence: 1,
    tools: [step.tool],
    evidence: { outcome: "blind", isFuzzy: false, isWaiting: false, isFailing: false, isBusy: false, uncounted: [] },
  };
}

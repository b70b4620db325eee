import { readFileSync } from "node:fs";

/** A call and its answer. */
interface PlainStep {
  readonly tool: string;
  readonly args: unknown;
  readonly output: unknown;
  /** The tool failed, and a host that knows says so. */
  readonly isFailure: boolean;
}

/** A loop that nobody would defend, one call after the other, for ever. */
export interface PlainLoop {
  readonly name: string;
  /** From a trade that the others do not have, in the wording of today's tools: terse, wrapped, volatile. */
  readonly isTrade?: boolean;
  /** What the user has asked for. */
  readonly request?: string;
  /** Nothing but a loop looks like this: a file that is read again, a check that fails again. */
  readonly isClear?: boolean;
  /** A call that finishes, hands over or asks a person is never refused. The run ends all the same. */
  readonly isWayOut?: boolean;
  /** The call with this number, from 0. */
  step(number: number): PlainStep;
}

/** A line of `loops.jsonl`: one call, or some that take turns. What varies from call to call is below, by the loop's name. */
type WrittenLoop = Omit<PlainLoop, "step"> & Partial<PlainStep> & { readonly inTurn?: readonly Partial<PlainStep>[] };

interface Varying {
  readonly args?: (number: number) => object;
  readonly output?: (number: number) => string | object;
}

const CHUNKS = [
  "Parental leave is applied for in writing, seven weeks before it begins.",
  "Vacation days that are left expire at the end of March.",
  "Overtime is compensated in the following quarter.",
];
const WORDINGS =
  "refund terms|terms of refund|refunds terms page|how do refunds work|refund conditions|get money back|returns and refunds|conditions for refunds";
const QUESTIONS = "parental leave deadline|deadline for parental leave|when to apply for parental leave";
const RULINGS = "tenant garden shed removal|removal of a shed by the tenant|shed in rented garden, duty to remove";
const STEPS = "inspect the pump|check the pump first|begin with the pump|have a look at the pump";
const NAMES = "login|auth|user|session|account|signin|sign-in|log-in";

/** One of some values, in turn; from the second time on with a number. */
const oneOf = (values: string, number: number, joint = " "): string => {
  const all = values.split("|");
  const value = all[number % all.length]!;
  return number < all.length ? value : `${value}${joint}${number}`;
};
/** Digits that look as if they were drawn. */
const hexOf = (number: number, digits = 12): string =>
  (BigInt(number + 1) * 0x9e3779b97f4a7c15n).toString(16).padStart(digits, "0").slice(-digits);
const jitterOf = (number: number): number => (number * 7) % 23;

const VARYING: Readonly<Record<string, Varying>> = {
  "a search in other words": { args: (n) => ({ query: oneOf(WORDINGS, n) }) },
  "guessed paths": { args: (n) => ({ path: `lib/${oneOf(NAMES, n, "")}.ts` }) },
  "a failed job with a request id": { output: (n) => `{"state":"failed","request_id":"${hexOf(n, 6)}"}` },
  "laboratory: one value, fetched anew": {
    output: (n) => {
      const fetched_at = new Date(1_790_000_000_000 + n * 3_700).toISOString();
      return { patient: "P-118", test: "CRP", value: 3.1, unit: "mg/l", fetched_at };
    },
  },
  "bank: one transfer, paid again": { output: (n) => ({ status: "ok", transfer_id: hexOf(n) }) },
  "law: one question to the archive": { args: (n) => ({ query: oneOf(RULINGS, n) }) },
  "cluster: pods that crash": {
    output: (n) =>
      `NAME      READY  STATUS            RESTARTS  AGE\napi-7f9c  0/1    CrashLoopBackOff  9         ${12 + n}m`,
  },
  "home: a thermostat": { output: (n) => ({ success: true, timestamp: 1_790_000_000 + 4 * n }) },
  "game: objects that are not there": { args: (n) => ({ action: `take mug ${n + 1}` }) },
  "robot: a grip that slips": { output: (n) => ({ grasped: false, force: 0.4 + jitterOf(n) / 1_000 }) },
  "compiler: one error": {
    output: (n) =>
      `error[E0382]: borrow of moved value: \`rows\`\n  --> src/load.rs:41:18\nerror: could not compile \`load\` (bin) due to 1 previous error in 1.${jitterOf(n)}s`,
  },
  "pytest: one failure, timed": {
    output: (n) => `E   assert 3 == 4\nFAILED tests/test_sum.py::test_sum\n1 failed, 12 passed in 3.${jitterOf(n)}s`,
  },
  "one plan in other words": { args: (n) => ({ plan: [oneOf(STEPS, n)] }) },
  "retrieval: the same passages": {
    args: (n) => ({ query: oneOf(QUESTIONS, n) }),
    output: (n) => CHUNKS.map((text, at) => ({ text, score: 0.8 - at / 10 + jitterOf(n) / 10_000 })),
  },
  "browser: one page with new marks": {
    output: (n) =>
      `- heading "Permits" [ref=e${40 + 9 * n}]\n- link "Apply online" [ref=e${41 + 9 * n}]\n- text: The online form is closed until further notice.`,
  },
  "desktop: a click that misses": {
    args: (n) => ({ action: "left_click", coordinate: [412 + (n % 5), 388 - (n % 3)] }),
  },
  "500 with a trace": { output: (n) => `HTTP 500 Internal Server Error (trace ${hexOf(n, 16)})` },
  "an expert who does not know": { args: (n) => ({ question: oneOf(QUESTIONS, n) }) },
  "a query that takes as long as its limit": {
    output: (n) => ({ rows: [], took_ms: 300 + jitterOf(n), rate_limit_remaining: 5_000 - n }),
  },
};

/** What agents were seen to do a hundred times without being stopped, one call that mostly fails, and loops of other trades. */
export const plainLoops: readonly PlainLoop[] = readFileSync(new URL("./loops.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => {
    const { inTurn, tool, args, output, isFailure, ...loop } = JSON.parse(line) as WrittenLoop;
    const turns = inTurn ?? [{ tool, args, output, isFailure }];
    const varying = VARYING[loop.name];
    return {
      ...loop,
      step(number) {
        const step = turns[number % turns.length]!;
        return {
          tool: step.tool!,
          args: varying?.args?.(number) ?? step.args,
          output: varying?.output?.(number) ?? step.output,
          isFailure: step.isFailure === true,
        };
      },
    };
  });

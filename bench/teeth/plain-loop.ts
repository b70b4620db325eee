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
  /** What the user has asked for. */
  readonly request?: string;
  /** Nothing but a loop looks like this: a file that is read again, a check that fails again. */
  readonly isClear?: boolean;
  /** A call that finishes, hands over or asks a person is never refused. The run ends all the same. */
  readonly isWayOut?: boolean;
  /** The call with this number, from 0. */
  step(number: number): PlainStep;
}

export type PlainLoopOptions = Pick<PlainLoop, "request" | "isClear" | "isWayOut">;

/** An answer, or one for each call. */
type Answer = string | object | ((number: number) => string | object);
type Arguments = object | ((number: number) => object);

/** Calls of one tool that succeed. */
export function again(
  name: string,
  [tool, args, output]: readonly [tool: string, args: Arguments, output: Answer],
  options: PlainLoopOptions = {},
): PlainLoop {
  const step = (number: number): PlainStep => ({
    tool,
    args: typeof args === "function" ? args(number) : args,
    output: typeof output === "function" ? output(number) : output,
    isFailure: false,
  });
  return { name, ...options, step };
}

/** Calls of one tool that fail. */
export function failing(
  name: string,
  call: readonly [tool: string, args: Arguments, output: Answer],
  options: PlainLoopOptions = {},
): PlainLoop {
  const { step, ...loop } = again(name, call, options);
  return { ...loop, step: (number) => ({ ...step(number), isFailure: true }) };
}

/** Loops that take turns. */
export function inTurn(name: string, ...loops: readonly PlainLoop[]): PlainLoop {
  const step = (number: number): PlainStep => loops[number % loops.length]!.step(Math.floor(number / loops.length));
  return { name, step };
}

/** One of some values, in turn; from the second time on with a number. */
export function oneOf(values: readonly string[], number: number, joint = " "): string {
  const value = values[number % values.length]!;
  return number < values.length ? value : `${value}${joint}${number}`;
}

/** Digits that look as if they were drawn. */
export function hexOf(number: number, digits = 12): string {
  return (BigInt(number + 1) * 0x9e3779b97f4a7c15n).toString(16).padStart(digits, "0").slice(-digits);
}

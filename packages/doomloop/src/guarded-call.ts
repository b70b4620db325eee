import type { Decision } from "./core/decision.ts";
import type { CallEvent } from "./core/event.ts";
import { safely } from "./core/faults.ts";
import type { ObservingGuard } from "./core/guard.ts";
import { sinceStart } from "./host/clock.ts";
import { type LoopStop, loopStop } from "./host/loop-stop.ts";

/** A call of a tool. Without an `id`, it gets one. */
type GuardedCall = Pick<CallEvent, "id" | "tool" | "args" | "readOnly">;

/** What came of a call that went through a guard. */
export interface CallOutcome<Output> {
  /** What the tool returned, or what it threw, as text. Undefined if the call was refused. */
  readonly output: Output | string | undefined;
  /** What the tool threw. */
  readonly error?: unknown;
  /** Words for the model. They belong after the output, or in its place if the call was refused. */
  readonly message: string | undefined;
  /** If it is set, the run is over: leave your loop. */
  readonly stop: LoopStop | undefined;
}

/** Watches one run. Create one guard where a run starts, not one for many runs; a guard is cheap to make. */
export interface Guard extends ObservingGuard {
  /**
   * Runs a tool with the guard around it. The tool does not run if the call is refused. What it throws is caught, and counts as a failure.
   *
   * Never rejects. Calls may run side by side; send a `round` event with each answer of the model then.
   */
  call<Output>(call: GuardedCall, run: () => Output | PromiseLike<Output>): Promise<CallOutcome<Output>>;
}

/** Adds `call` to a guard. If somebody wraps the guard, the wrapper's `observe` is used. */
export function withCall<Watched extends ObservingGuard>(guard: Watched): Watched & Guard {
  let calls = 0;
  return {
    ...guard,
    async call<Output>(
      this: Pick<ObservingGuard, "observe"> | undefined,
      made: GuardedCall,
      run: () => Output | PromiseLike<Output>,
    ): Promise<CallOutcome<Output>> {
      const watched = this ?? guard;
      calls++;
      // With all that the caller wrote, so that a misspelt field is told.
      const [{ id = `call ${calls}`, ...read }] = safely(() => [{ ...made }]) ?? [{} as GuardedCall];
      const before = watched.observe({ ...read, type: "call", id, at: sinceStart() });
      const isRefused = before.action !== "continue" && before.action !== "nudge";
      if (isRefused) return outcomeOf<Output>({ output: undefined }, id, before);
      const result = await resultOf(run);
      const told = { output: result.output, error: "error" in result };
      const after = watched.observe({ type: "result", id, ...told, at: sinceStart() });
      return outcomeOf<Output>(result, id, before, after);
    },
  };
}

type ToolResult<Output> = Pick<CallOutcome<Output>, "output" | "error">;

async function resultOf<Output>(run: () => Output | PromiseLike<Output>): Promise<ToolResult<Output>> {
  try {
    return { output: await run() };
  } catch (error) {
    return { output: textOf(error), error };
  }
}

function outcomeOf<Output>(
  result: ToolResult<Output>,
  callId: string,
  ...decisions: readonly Decision[]
): CallOutcome<Output> {
  const words = decisions.map(({ message }) => message).filter((message) => message !== undefined);
  const stop = decisions.map((decision) => loopStop(decision, { callId })).find((ended) => ended !== undefined);
  return { ...result, message: words.length === 0 ? undefined : words.join("\n\n"), stop };
}

/** What was thrown may be anything: an object without a text of its own is shown by its fields, and some cannot be shown at all. */
function textOf(error: unknown): string {
  try {
    const text = String(error);
    return text === String({}) ? (JSON.stringify(error) ?? text) : text;
  } catch {
    return "The tool failed.";
  }
}

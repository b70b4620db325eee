import type { EventLike, FunctionResponseLike, PartLike } from "./plugin.ts";
import type { Turn } from "./tell-turns.ts";
import { outputOf } from "./transfer.ts";

/**
 * Observes the results in an event, and adds words to them where there are some.
 *
 * An event comes after everybody's callbacks and before the session keeps it. So it shows what the model will read, and words
 * in it take nothing from anybody: a callback that returned a changed result would keep the others from theirs.
 */
export function observeEvent({ content, partial }: EventLike, turn: Turn): void {
  if (partial === true) return;
  const parts = content?.parts ?? [];
  if (parts.some(({ functionCall }) => functionCall !== undefined)) turn.said = parts.flatMap(({ text }) => text ?? []);
  for (const part of parts) {
    if (part.functionResponse !== undefined) observeResponse(part.functionResponse, turn);
    else observeCode(part, turn);
  }
}

function observeResponse(answer: FunctionResponseLike, { run, open }: Turn): void {
  const { id: hostId = "", response } = answer;
  const call = open.get(hostId);
  if (call === undefined) return;
  open.delete(hostId);
  const words = run.result({ id: call.id, output: outputOf(answer), error: call.isFailed || undefined });
  if (words === undefined) return;
  try {
    // A new object: the old one may be the tool's own.
    answer.response = { ...response, doomloop: words };
  } catch (fault) {
    run.hold(words);
    throw fault;
  }
}

/** Code that the model wrote and that was run without a tool, by the provider or by an executor of ADK's. */
function observeCode({ executableCode, codeExecutionResult: result }: PartLike, turn: Turn): void {
  if (executableCode?.code !== undefined) turn.code = executableCode.code;
  if (result === undefined || turn.code === undefined) return;
  const error = result.outcome !== "OUTCOME_OK";
  turn.run.past({ tool: "code_execution", args: { code: turn.code }, output: result.output, error });
  turn.code = undefined;
  turn.calls++;
}

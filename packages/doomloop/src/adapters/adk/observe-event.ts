import type { HostCall } from "../../host/host-run.ts";
import { modelValue } from "../../host/model-value.ts";
import type { Turn } from "./identify-turn.ts";
import type { EventLike, FunctionResponseLike, PartLike, ResponseLike } from "./plugin.ts";

/** ADK's own tool that hands a run to another agent. */
const TRANSFER = "transfer_to_agent";

const MAX_PIECES = 64;

/**
 * Observes the results in an event, and adds words to them if there are any.
 *
 * An event comes after all callbacks and before the session stores it. So it shows what the model will read. Adding words here
 * does not disturb other plugins, while a callback that returns a changed result would keep their callbacks from running.
 */
export function observeEvent({ content, partial }: EventLike, turn: Turn): void {
  if (partial === true) return;
  const parts = content?.parts ?? [];
  if (parts.some(({ functionCall }) => functionCall !== undefined)) turn.said = parts.flatMap(({ text }) => text ?? []);
  for (const part of parts) {
    if (part.functionResponse !== undefined) observeResult(part.functionResponse, turn);
    else observeCode(part, turn);
  }
}

function observeResult(answer: FunctionResponseLike, { run, open }: Turn): void {
  const { id: hostId = "", response } = answer;
  const call = open.get(hostId);
  if (call === undefined) return;
  open.delete(hostId);
  const words = run.result({ id: call.id, output: outputOf(answer), error: call.isFailed || saysItFailed(response) });
  if (words === undefined) return;
  try {
    // A new object, because the old one may belong to the tool.
    answer.response = { ...response, doomloop: words };
  } catch (fault) {
    run.hold(words);
    throw fault;
  }
}

/** ADK itself answers with an `error`, for example if a human rejects a call, and so may a tool. We cannot tell which of them it was. */
function saysItFailed(response: FunctionResponseLike["response"]): false | undefined {
  return response?.error === undefined ? false : undefined;
}

/** Code that the model wrote and that the provider or ADK ran without a tool. */
function observeCode({ executableCode, codeExecutionResult: result }: PartLike, turn: Turn): void {
  if (executableCode?.code !== undefined) turn.code = executableCode.code;
  if (result === undefined || turn.code === undefined) return;
  const error = result.outcome !== "OUTCOME_OK";
  turn.run.past({ tool: "code_execution", args: { code: turn.code }, output: result.output, error });
  turn.code = undefined;
  turn.calls++;
}

/**
 * Observes what the model says and thinks beside its calls. A streamed answer also comes as a whole, and words often come before the call.
 *
 * An answer without a call is not observed. It ends the turn of its agent, and there may be a good reason to run the agent again that
 * we cannot see.
 */
export function observeResponse({ content, partial }: ResponseLike, turn: Turn): void {
  if (partial === true) return;
  const parts = content?.parts ?? [];
  const pieces = [...turn.pieces, ...parts].filter(({ text }) => text !== undefined);
  const hasCall = parts.some(({ functionCall }) => functionCall !== undefined);
  turn.pieces = hasCall ? [] : pieces.slice(-MAX_PIECES);
  if (!hasCall) return;
  for (const { text = "", thought } of pieces) {
    if (thought === true) turn.run.reasoning(text);
    else turn.run.text(text, { partial: true });
  }
}

/**
 * A call as it is reported to the guard; undefined if it is not judged.
 *
 * An agent that has called something is judged by those calls, not by its transfer. The arguments of a transfer include what the agent said,
 * because agents that pass drafts to each other do not loop. They include the number of calls so far, because an agent that keeps
 * sending another one to work does not loop either.
 */
export function callOf(tool: string, args: Record<string, unknown>, turn: Turn): HostCall | undefined {
  const isIdle = !turn.hasCalled;
  turn.hasCalled = tool !== TRANSFER;
  if (turn.hasCalled) {
    turn.calls++;
    return { tool, args };
  }
  const { said, calls } = turn;
  return isIdle ? { tool, args: { ...args, said, calls }, readOnly: true } : undefined;
}

/** The output of a call. ADK answers every transfer with "Transfer queued", which must not look like waiting. */
function outputOf({ name, response }: FunctionResponseLike): unknown {
  return name === TRANSFER && response !== undefined && "result" in response ? "" : modelValue(response);
}

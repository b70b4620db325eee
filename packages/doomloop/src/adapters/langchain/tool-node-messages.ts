import { copyWith, type MessageLike, type ToolCallLike } from "./messages.ts";

/** The messages in the input of a `ToolNode`: a list of them, a state with them, or a state sent with one call. */
export function messagesOf(input: unknown): readonly MessageLike[] | undefined {
  const messages = Array.isArray(input) ? input : (input as { messages?: unknown } | undefined)?.messages;
  return Array.isArray(messages) ? messages : undefined;
}

/** The one call that the input was sent with, if each call has its own task. */
export function sentCall(input: unknown): ToolCallLike[] | undefined {
  const { lg_tool_call: call } = input as { lg_tool_call?: ToolCallLike };
  return call === undefined ? undefined : [call];
}

/** The input without the refused calls. Only the node gets it; the conversation keeps the calls. */
export function withoutCalls<Input>(input: Input, at: number, refused: ReadonlySet<ToolCallLike>): Input {
  const messages = messagesOf(input)!;
  const answer = messages[at]!;
  const left = copyWith(answer, { tool_calls: answer.tool_calls?.filter((call) => !refused.has(call)) });
  const changed = messages.with(at, left);
  return (Array.isArray(input) ? changed : { ...input, messages: changed }) as Input;
}

export interface OutputReader {
  /** The message to use instead; the same message if nothing changes. */
  change(message: MessageLike): MessageLike;
  /** Observes a message inside a command, which is not changed. */
  note(message: MessageLike): void;
}

/**
 * Reads the output of a `ToolNode`: messages, a state with messages, or a list of these and of commands. Returns the same object if
 * nothing is changed or added.
 */
export function readOutput<Output>(
  output: Output,
  isList: boolean,
  { change, note }: OutputReader,
  added: unknown[],
): Output {
  let isChanged = added.length > 0;
  const readMessage = (message: MessageLike): MessageLike => {
    const changed = change(message);
    isChanged ||= changed !== message;
    return changed;
  };
  const readPiece = (piece: unknown): unknown => {
    if (Array.isArray(piece)) return piece.map(readMessage);
    const { messages, update } = piece as { messages?: MessageLike[]; update?: unknown };
    if (Array.isArray(messages)) return { ...(piece as object), messages: messages.map(readMessage) };
    if (update === undefined) return readMessage(piece as MessageLike);
    for (const message of messagesOf(update) ?? []) note(message);
    return piece;
  };

  if (!Array.isArray(output)) {
    const { messages = [], ...rest } = readPiece(output) as { messages?: unknown[] };
    return isChanged ? ({ ...rest, messages: [...messages, ...added] } as Output) : output;
  }
  const pieces = output.map(readPiece);
  if (!isChanged) return output;
  const isPlain = isList && output.every((piece) => typeof (piece as MessageLike).type === "string");
  if (added.length === 0) return pieces as Output;
  return (isPlain ? [...pieces, ...added] : [...pieces, isList ? added : { messages: added }]) as Output;
}

import { type ForeignRecord, listOf, recordOf, textOf } from "./foreign-value.ts";
import { contentText } from "./tool-output.ts";

/**
 * The user's part of a conversation that a tracing tool logged, in the format of OpenAI, Anthropic, LangChain or
 * OpenTelemetry.
 */
export interface LoggedUser {
  readonly userTurns: number;
  readonly userText: string | undefined;
}

const USERS = ["user", "human", "HumanMessage"];

/** The number of user messages in logged input, and the text of the last one. */
export function loggedUser(input: unknown): LoggedUser {
  let userTurns = 0;
  let userText: string | undefined;
  for (const message of messagesIn(input)) {
    if (!USERS.includes(roleOf(message))) continue;
    const text = wordsOf(message);
    // In some formats, tool results are user messages as well.
    if (text === undefined) continue;
    userTurns++;
    userText = text;
  }
  return { userTurns, userText };
}

/** The text of a logged answer. */
export function loggedAnswer(output: unknown): string | undefined {
  if (typeof output === "string") return textOf(output);
  const record = recordOf(output);
  const generation = recordOf(listOf(listOf(record?.generations)[0])[0]);
  const choice = recordOf(listOf(record?.choices)[0]);
  const last = recordOf(messagesIn(output).at(-1));
  const chosen = recordOf(choice?.message) ?? last ?? record;
  return textOf(generation?.text) ?? (chosen === undefined ? undefined : wordsOf(chosen));
}

function messagesIn(value: unknown): readonly ForeignRecord[] {
  const record = recordOf(value);
  const found = Array.isArray(value) ? value : listOf(record?.messages ?? record?.input);
  // LangChain batches: a list of lists.
  const list = Array.isArray(found[0]) ? found[0] : found;
  return list.map(recordOf).filter((entry) => entry !== undefined);
}

function roleOf(message: ForeignRecord): string {
  const type = textOf(message.type);
  // LangChain writes `constructor` as the type, and the class among the ids.
  const told = type === "constructor" ? undefined : type;
  return textOf(message.role) ?? told ?? textOf(listOf(message.id).at(-1)) ?? "";
}

function wordsOf(message: ForeignRecord): string | undefined {
  const inner = recordOf(message.kwargs) ?? recordOf(message.data) ?? message;
  const content = inner.content ?? inner.text ?? inner.parts;
  if (typeof content === "string") return textOf(content);
  const blocks = listOf(content).map(recordOf);
  const told = blocks.map((block) =>
    block?.type === "text" ? (textOf(block.text) ?? textOf(block.content)) : undefined,
  );
  return contentText(told.filter((text) => text !== undefined));
}

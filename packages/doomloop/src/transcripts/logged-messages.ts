import { type ForeignRecord, listOf, recordOf, textOf } from "./foreign-value.ts";
import { contentText } from "./tool-output.ts";

/** What tracing tools log of a conversation, in whose form it was: OpenAI's, Anthropic's, LangChain's, OpenTelemetry's. */
export interface LoggedUser {
  readonly userTurns: number;
  readonly userText: string | undefined;
}

const USERS = ["user", "human", "HumanMessage"];

/** How often the user spoke in logged input, and the last words. */
export function loggedUser(input: unknown): LoggedUser {
  let userTurns = 0;
  let userText: string | undefined;
  for (const message of messagesIn(input)) {
    if (!USERS.includes(roleOf(message))) continue;
    const text = wordsOf(message);
    // Results are a user's message too in some forms.
    if (text === undefined) continue;
    userTurns++;
    userText = text;
  }
  return { userTurns, userText };
}

/** The words of a logged answer. */
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
  // LangChain writes how a message is made, and its class among its ids.
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

import { createGuard, type MessageTemplates } from "../../packages/doomloop/src/index.ts";
import type { StuckConversation } from "./stuck-conversations.ts";

/** A message in the format of Chat Completions. */
export type ChatMessage = Readonly<Record<string, unknown>>;

/** A point in a stuck conversation at which the guard says something: what the model reads with its words, and without them. */
export interface Stage {
  readonly level: "first words" | "said again" | "last warning" | "a refused call";
  readonly words: string;
  readonly withWords: readonly ChatMessage[];
  readonly without: readonly ChatMessage[];
}

const MAX_STEPS = 40;
const STEP_MS = 4_000;

/** Plays a conversation to a guard, until a call is refused. Each level is a stage where it is reached for the first time. */
export function stagesOf(conversation: StuckConversation, messages: MessageTemplates = {}): readonly Stage[] {
  const guard = createGuard({ messages });
  const opening: ChatMessage[] = [
    { role: "system", content: "You are an agent. Work on the task with the tools. Make one call at a time." },
    { role: "user", content: conversation.task },
  ];
  const [told, untold] = [[...opening], [...opening]];
  const stages: Stage[] = [];
  guard.observe({ type: "user", text: conversation.task });
  for (let at = 0; at < MAX_STEPS; at++) {
    const { tool, args, output, error } = conversation.step(at);
    const id = `call_${at}`;
    guard.observe({ type: "round" });
    const before = guard.observe({ type: "call", id, tool, args, at: at * STEP_MS });
    const isRefused = before.action === "block" || before.action === "stop";
    const after = isRefused ? before : guard.observe({ type: "result", id, output, error, at: at * STEP_MS + 500 });
    const words = [before.message, after.message].find((message) => message !== undefined);
    const calls = [{ id, type: "function", function: { name: tool, arguments: JSON.stringify(args) } }];
    const ask: ChatMessage = { role: "assistant", content: null, tool_calls: calls };
    const answer = (content: string): ChatMessage => ({ role: "tool", tool_call_id: id, content });
    told.push(ask, answer(isRefused ? words! : [output, words].filter(Boolean).join("\n\n")));
    untold.push(ask, answer(output));
    const level = words === undefined ? undefined : levelOf(words, isRefused, stages);
    if (level !== undefined) stages.push({ level, words: words!, withWords: [...told], without: [...untold] });
    if (isRefused) break;
  }
  return stages;
}

function levelOf(words: string, isRefused: boolean, before: readonly Stage[]): Stage["level"] | undefined {
  const isLast = words.startsWith("[doomloop] Last warning");
  const level = isRefused
    ? "a refused call"
    : isLast
      ? "last warning"
      : before.length === 0
        ? "first words"
        : "said again";
  return before.some((stage) => stage.level === level) ? undefined : level;
}

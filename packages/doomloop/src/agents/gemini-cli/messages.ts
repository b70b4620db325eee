import { countOf, type ForeignRecord, listOf, recordOf, textOf, timeOf } from "../../transcripts/foreign-value.ts";
import type { TranscriptUsage } from "../../transcripts/reader.ts";
import { createSeenIds, type RunEvents } from "../../transcripts/run-events.ts";
import { shellReport } from "../../transcripts/shell-report.ts";
import { contentText } from "../../transcripts/tool-output.ts";

/** Reads the messages of a chat, each once, however often it is written. */
interface Messages {
  take(message: ForeignRecord, id: string): void;
}

const OWN_WORDS = "<session_context>";

export function createMessages(run: RunEvents): Messages {
  const seen = createSeenIds();
  const calls = createCalls(run);

  const takeAnswer = (message: ForeignRecord, id: string, isNew: boolean): void => {
    const at = timeOf(message.timestamp);
    if (isNew) {
      run.round(id);
      run.model(textOf(message.model));
      for (const thought of listOf(message.thoughts)) run.reasoning(thoughtText(recordOf(thought)), at);
      run.text(answerText(message.content), at);
    }
    const tokens = recordOf(message.tokens);
    if (tokens !== undefined && isNew) run.usage({ ...usageOf(tokens), id, model: textOf(message.model) });
    calls.takeCalls(listOf(message.toolCalls), at);
    calls.takeParts(listOf(message.content), at);
  };

  return {
    take(message, id) {
      const isNew = seen.add(id);
      if (message.type === "gemini") takeAnswer(message, id, isNew);
      else if (message.type === "user" && isNew) {
        const at = timeOf(message.timestamp);
        calls.takeParts(listOf(message.content), at);
        const text = contentText(message.content);
        if (text !== undefined && !text.startsWith(OWN_WORDS)) run.user(text, at);
      }
    },
  };
}

function thoughtText(thought: ForeignRecord | undefined): string | undefined {
  const { subject, description } = thought ?? {};
  const parts = [textOf(subject), textOf(description)].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(": ");
}

/** A resumed chat has its answers in parts, including thoughts. */
function answerText(content: unknown): string | undefined {
  if (!Array.isArray(content)) return textOf(content);
  return contentText(content.filter((part) => recordOf(part)?.thought !== true));
}

/** Cached tokens are part of the input here, thoughts are not part of the output. */
function usageOf(tokens: ForeignRecord): TranscriptUsage {
  const cacheReadTokens = countOf(tokens.cached);
  return {
    inputTokens: Math.max(0, countOf(tokens.input) - cacheReadTokens) + countOf(tokens.tool),
    outputTokens: countOf(tokens.output) + countOf(tokens.thoughts),
    cacheReadTokens,
  };
}

/** Reads calls and results. They are in a message's `toolCalls` and in parts of the next message, and are repeated in both. */
interface Calls {
  takeCalls(calls: readonly unknown[], at: number | undefined): void;
  takeParts(parts: readonly unknown[], at: number | undefined): void;
}

function createCalls(run: RunEvents): Calls {
  const called = createSeenIds();
  const answered = createSeenIds();

  const call = (id: string | undefined, tool: unknown, args: unknown, at: number | undefined): void => {
    const name = textOf(tool);
    if (name !== undefined && (id === undefined || called.add(id))) run.call(id, name, args, at);
  };

  const result = (id: string | undefined, response: unknown, status: unknown, at: number | undefined): void => {
    if (id !== undefined && (!called.has(id) || !answered.add(id))) return;
    const { output, error: told } = recordOf(response) ?? {};
    const report = shellReport(output ?? told ?? response);
    const isFailed = status === "error" || (output === undefined && told !== undefined);
    const error = isFailed ? true : report.error;
    run.result(id, report.output, { error, at, synthetic: status === "cancelled" ? true : undefined });
  };

  return {
    takeCalls(calls, at) {
      const records = calls.map(recordOf).filter((entry) => entry !== undefined);
      for (const { id, name, args } of records) call(textOf(id), name, args, at);
      for (const entry of records) {
        const response = responseOf(entry);
        if (response !== undefined) result(textOf(entry.id), response, entry.status, timeOf(entry.timestamp));
      }
    },
    takeParts(parts, at) {
      for (const part of parts) {
        const { functionCall, functionResponse } = recordOf(part) ?? {};
        const made = recordOf(functionCall);
        if (made !== undefined) call(textOf(made.id), made.name, made.args, at);
        const given = recordOf(functionResponse);
        if (given !== undefined) result(textOf(given.id), given.response, undefined, at);
      }
    },
  };
}

function responseOf(call: ForeignRecord): unknown {
  const [first] = listOf(call.result);
  return recordOf(recordOf(first)?.functionResponse)?.response ?? (textOf(call.result) || undefined);
}

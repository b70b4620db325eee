import {
  type CanUseTool,
  createSdkMcpServer,
  type Options,
  type SDKMessage,
  tool,
} from "@anthropic-ai/claude-agent-sdk";
import { guard, loopStop } from "doomloop/claude-agent-sdk";
import { z } from "zod";
import {
  type AdapterDriver,
  answerAt,
  type HostRequest,
  type ScriptedAnswer,
  type ScriptedTool,
  type WiredHost,
  type WirePart,
} from "../../contracts/adapter-driver.ts";
import type { Block } from "../shared/anthropic-answer.ts";
import type { Body } from "./messages-server.ts";
import { runQuery } from "./run-query.ts";

const SERVER = "books";
const shape = { path: z.string().optional(), page: z.number().optional(), key: z.string().optional() };

const UNREAD = "the CLI takes a call with an id that came before out of what the model reads, with its result";

/**
 * Drives `query` with one model: the CLI writes to older and newer ones differently. The guarded options are made once and serve
 * every session; the tools run in this process. `isInside`: words to the model go into the result.
 */
export function createDriver(model: string, isInside: boolean): AdapterDriver {
  return {
    abilities: { nudge: "result", block: true, stop: "clean" },
    isCostly: true,
    lacks: {
      "provider-executed": "the CLI runs its tools by itself and offers none of the provider's",
      reasoning: "no hook is told what the model thinks",
      abort: "an aborted query is a process that ends, and tells no hook of it",
      ...(isInside && { "repeated-ids": UNREAD, "empty-ids": UNREAD }),
    },
    wire(tools, options): WiredHost {
      const base: Options = options === undefined ? {} : guard({}, options);
      const isAsked = tools.some(({ needsApproval }) => needsApproval);
      return {
        async run(script, { isStreaming = false, hasDefaultLimits = false, isRejected = false } = {}) {
          let approvals = 0;
          const canUseTool: CanUseTool = async () => {
            approvals++;
            return { behavior: "deny", message: "not now", interrupt: !isRejected };
          };
          const settings: Options = {
            ...base,
            model,
            mcpServers: { [SERVER]: serverOf(tools) },
            ...(isAsked ? { canUseTool } : { allowedTools: [`mcp__${SERVER}`] }),
            includePartialMessages: isStreaming,
          };
          const answer = (_body: Body, request: number) => answerOf(answerAt(script, request - 1));
          const { bodies, messages, error } = await runQuery(answer, { options: settings, hasDefaultLimits });
          const ended = messages.findLast((message) => message.type === "result");
          return {
            requests: bodies.map(readBody),
            outcome: messages.flatMap(withoutClock),
            error,
            approvals,
            stop: ended && loopStop(ended),
            answer: messages.flatMap(shownAtTheEnd).join("\n"),
          };
        },
      };
    },
  };
}

function serverOf(tools: readonly ScriptedTool[]) {
  return createSdkMcpServer({
    name: SERVER,
    tools: tools.map(({ name, run }) =>
      tool(name, name, shape, async (args) => {
        const output = await run(args);
        return { content: [{ type: "text", text: typeof output === "string" ? output : JSON.stringify(output) }] };
      }),
    ),
  });
}

function answerOf({ text, reasoning, calls = [] }: ScriptedAnswer): Block[] {
  return [
    ...(reasoning === undefined ? [] : [{ type: "thinking", thinking: reasoning, signature: "c2lnbmF0dXJl" }]),
    ...(text === undefined ? [] : [{ type: "text", text }]),
    ...calls.map(({ id, tool, args }) => ({ type: "tool_use", id, name: tool, input: args })),
  ];
}

/** The agent's last answer, and what the host tells people beside it. */
function shownAtTheEnd(message: SDKMessage): string[] {
  if (message.type === "result" && "result" in message) return [message.result];
  return message.type === "system" && message.subtype === "informational" ? [message.content] : [];
}

/** What the host gives out of a run, without clocks and random ids. */
function withoutClock(message: SDKMessage): unknown[] {
  if (message.type === "assistant" || message.type === "user") return [message.type, message.message.content];
  if (message.type === "stream_event") return [message.event];
  if (message.type !== "result") return [message.type, "subtype" in message && message.subtype];
  const { subtype, num_turns, is_error } = message;
  return [{ subtype, num_turns, is_error, result: "result" in message ? message.result : undefined }];
}

export function readBody({ tools, system, messages }: Body): HostRequest {
  return {
    raw: { tools, system, messages },
    messages: messages.map(({ role, content }) => ({
      role,
      parts: typeof content === "string" ? [{ type: "text", text: content }] : content.flatMap(readBlock),
    })),
  };
}

function readBlock({ type, text = "", id = "", tool_use_id = "", content }: Block): WirePart[] {
  if (type === "text") return [{ type, text }];
  if (type === "tool_use") return [{ type: "call", id }];
  if (type !== "tool_result") return [];
  return [{ type: "result", id: tool_use_id, text: typeof content === "string" ? content : JSON.stringify(content) }];
}

import type { ScriptedCall, ScriptedTurn } from "./arbitrary-conversation.ts";

type Answer = Extract<ScriptedTurn, { by: "model" }>;
export type Message = Readonly<Record<string, unknown>>;

/** A wire format: how an agent writes a conversation, and what the provider demands of it. */
export interface WireFormat {
  /** The field of the request that has the conversation. */
  readonly field: "messages" | "input";
  spoken(turn: Exclude<ScriptedTurn, { by: "model" }>): Message;
  answer(turn: Answer): Message[];
  results(calls: readonly ScriptedCall[]): Message[];
  /** What a provider would reject. */
  faultsOf(list: readonly Message[]): string[];
}

const contentOf = ({ output, isParts }: ScriptedCall, type: string): unknown =>
  isParts ? [{ type, text: output }] : output;

export const completions: WireFormat = {
  field: "messages",
  spoken: ({ by, text }) => ({ role: by === "user" ? "user" : "developer", content: text }),
  answer: ({ text, thoughts, calls }) => [
    {
      role: "assistant",
      content: text === "" ? null : text,
      ...(thoughts !== "" && { reasoning_content: thoughts }),
      ...(calls.length > 0 && {
        tool_calls: calls.map(({ id, tool, args }) => ({
          id,
          type: "function",
          function: { name: tool, arguments: JSON.stringify(args) },
        })),
      }),
    },
  ],
  results: (calls) => calls.map((call) => ({ role: "tool", tool_call_id: call.id, content: contentOf(call, "text") })),
  faultsOf(list) {
    const faults: string[] = [];
    let open: string[] = [];
    for (const { role, tool_call_id, tool_calls, content } of list) {
      if (role === "tool") {
        if (!open.includes(tool_call_id as string)) faults.push(`no call ${tool_call_id}`);
        if (!isText(content)) faults.push(`no text in ${JSON.stringify(content)}`);
        open = open.filter((id) => id !== tool_call_id);
        continue;
      }
      if (open.length > 0) faults.push(`${role} before the results of ${open}`);
      open = ((tool_calls ?? []) as { id: string }[]).map(({ id }) => id);
    }
    return open.length > 0 ? [...faults, `no results of ${open}`] : faults;
  },
};

export const responses: WireFormat = {
  field: "input",
  spoken: completions.spoken,
  answer: ({ text, thoughts, calls }) => [
    ...(thoughts === "" ? [] : [{ type: "reasoning", summary: [{ type: "summary_text", text: thoughts }] }]),
    ...(text === "" ? [] : [{ type: "message", role: "assistant", content: [{ type: "output_text", text }] }]),
    ...calls.map(({ id, tool, args }) => ({
      type: "function_call",
      call_id: id,
      name: tool,
      arguments: JSON.stringify(args),
    })),
  ],
  results: (calls) =>
    calls.map((call) => ({ type: "function_call_output", call_id: call.id, output: contentOf(call, "input_text") })),
  faultsOf(list) {
    const faults: string[] = [];
    const open: unknown[] = [];
    for (const { type, call_id, output } of list) {
      if (type === "function_call") open.push(call_id);
      if (type !== "function_call_output") continue;
      if (!open.includes(call_id)) faults.push(`no call ${call_id}`);
      else open.splice(open.indexOf(call_id), 1);
      if (!isText(output)) faults.push(`no text in ${JSON.stringify(output)}`);
    }
    return open.length > 0 ? [...faults, `no results of ${open}`] : faults;
  },
};

export const messages: WireFormat = {
  field: "messages",
  spoken: ({ text }) => ({ role: "user", content: text }),
  answer: ({ text, thoughts, calls }) => [
    {
      role: "assistant",
      content: [
        ...(thoughts === "" ? [] : [{ type: "thinking", thinking: thoughts, signature: "c2ln" }]),
        ...(text === "" ? [] : [{ type: "text", text }]),
        ...calls.map(({ id, tool, args }) => ({ type: "tool_use", id, name: tool, input: args })),
      ],
    },
  ],
  results: (calls) =>
    calls.length === 0
      ? []
      : [
          {
            role: "user",
            content: calls.map((call) => ({
              type: "tool_result",
              tool_use_id: call.id,
              content: contentOf(call, "text"),
              ...(call.isError && { is_error: true }),
            })),
          },
        ],
  faultsOf(list) {
    const faults: string[] = [];
    let open: unknown[] = [];
    for (const { role, content } of list) {
      const blocks = (Array.isArray(content) ? content : []) as Message[];
      if (role === "assistant") {
        if (open.length > 0) faults.push(`an answer before the results of ${open}`);
        open = blocks.filter(({ type }) => type === "tool_use").map(({ id }) => id);
        continue;
      }
      const end = blocks.findLastIndex(({ type }) => type === "tool_result") + 1;
      for (const { type, tool_use_id, content } of blocks.slice(0, end)) {
        if (type !== "tool_result") faults.push(`${type} before a result`);
        else if (!open.includes(tool_use_id)) faults.push(`no call ${tool_use_id}`);
        else open.splice(open.indexOf(tool_use_id), 1);
        if (!isText(content)) faults.push(`no text in ${JSON.stringify(content)}`);
      }
      if (open.length > 0) faults.push(`the user before the results of ${open}`);
    }
    return open.length > 0 ? [...faults, `no results of ${open}`] : faults;
  },
};

function isText(content: unknown): boolean {
  return typeof content === "string" || (content as { text: unknown }[]).every(({ text }) => typeof text === "string");
}

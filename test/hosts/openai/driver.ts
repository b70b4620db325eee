import { guard, type HostOptions, loopStop, type Observe } from "doomloop/openai";
import type {
  AdapterDriver,
  HostReport,
  RunHow,
  ScriptedAnswer,
  ScriptedTool,
  WiredHost,
  WireMessage,
  WirePart,
} from "../../contracts/adapter-driver.ts";
import type { Loop } from "./loops.ts";
import { observeNothing } from "./observe-nothing.ts";
import { scriptedApi } from "./scripted-api.ts";

/** Drives one hand-written loop with the real client. */
export function createDriver(loop: Loop, lacks: AdapterDriver["lacks"] = {}): AdapterDriver {
  return {
    abilities: { nudge: "message", block: true, stop: "clean" },
    lacks: {
      abort: "the loop runs its tools by itself, and tells the guard of no signal",
      rejection: "the loop asks the human, and answers a rejected call by itself",
      errors: "a list of messages has no flag for a tool that failed",
      ...lacks,
    },
    wire(tools, options: HostOptions | undefined): WiredHost {
      if (options !== undefined) guard([], options);
      return { run: (script, how = {}) => runScript(loop, tools, options, script, how) };
    },
  };
}

async function runScript(
  loop: Loop,
  tools: readonly ScriptedTool[],
  guardOptions: HostOptions | undefined,
  script: readonly ScriptedAnswer[],
  { isStreaming = false, hasDefaultLimits = false }: RunHow,
): Promise<HostReport> {
  const { client, requests } = scriptedApi(script);
  // A loop that somebody wrote has the limits that they gave it: by default none.
  const maxTurns = hasDefaultLimits ? Number.POSITIVE_INFINITY : 30;
  let approvals = 0;
  const isAllowed = (name: string): boolean => {
    const asks = tools.some((tool) => tool.name === name && tool.needsApproval);
    if (asks) approvals++;
    return !asks;
  };
  const run = async (name: string, args: string): Promise<string> => {
    try {
      const output = await tools.find((tool) => tool.name === name)?.run(JSON.parse(args));
      return typeof output === "string" ? output : JSON.stringify(output);
    } catch (error) {
      return `Error: ${error}`;
    }
  };
  const report = () => requests.map(({ body: raw, thread }) => ({ raw, messages: readThread(thread as WireItem[]) }));
  let observe: Observe<never> | undefined;
  const begin = <Item>(messages: Item[]): Observe<Item> => {
    const begun = guardOptions === undefined ? observeNothing(messages) : guard(messages, guardOptions);
    observe = begun as Observe<never>;
    return begun;
  };
  try {
    const options = { client, begin, run, isAllowed, isStreaming, maxTurns };
    const outcome = await loop("Where is it?", options);
    const stop = observe && loopStop(observe);
    // What is shown is up to the loop; the page tells it to show this.
    return { requests: report(), outcome, approvals, stop, answer: stop?.explanation };
  } catch (error) {
    return { requests: report(), error };
  }
}

interface WireItem {
  readonly type?: string;
  readonly role?: WireMessage["role"];
  readonly content?: string | null | readonly { readonly text: string }[];
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
  readonly id?: string;
  readonly call_id?: string;
  readonly output?: string | readonly { readonly text: string }[];
}

/** All that the model says in one go is one message, in Responses as in Chat Completions. */
function readThread(items: readonly WireItem[]): WireMessage[] {
  const messages: { role: WireMessage["role"]; parts: WirePart[] }[] = [];
  for (const item of items) {
    const { role, parts } = readItem(item);
    const latest = messages.at(-1);
    if (item.type !== undefined && latest?.role === "assistant" && role === "assistant") latest.parts.push(...parts);
    else messages.push({ role, parts });
  }
  return messages;
}

function readItem(item: WireItem): { role: WireMessage["role"]; parts: WirePart[] } {
  const { type, tool_calls = [], tool_call_id: id, call_id = "" } = item;
  const output = textOf(item.output);
  if (type === "function_call") return { role: "assistant", parts: [{ type: "call", id: call_id }] };
  if (type === "function_call_output") return { role: "tool", parts: [{ type: "result", id: call_id, text: output }] };
  if (type === "reasoning") return { role: "assistant", parts: [] };
  if (type === "mcp_call") {
    const provided = { type: "result", id: item.id ?? "", text: output } as const;
    return { role: "assistant", parts: [{ type: "call", id: item.id ?? "" }, provided] };
  }
  const text = textOf(item.content);
  if (id !== undefined) return { role: "tool", parts: [{ type: "result", id, text }] };
  const words: WirePart[] = text === "" ? [] : [{ type: "text", text }];
  const calls = tool_calls.map((call): WirePart => ({ type: "call", id: call.id }));
  return { role: item.role ?? "user", parts: [...words, ...calls] };
}

function textOf(content: WireItem["content"]): string {
  return typeof content === "string" ? content : (content?.map((part) => part.text).join("\n") ?? "");
}

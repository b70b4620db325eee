import type Anthropic from "@anthropic-ai/sdk";
import type { BetaRunnableTool } from "@anthropic-ai/sdk/lib/tools/BetaRunnableTool";
import { guard, type HostOptions, loopStop } from "doomloop/anthropic";
import type {
  AdapterDriver,
  HostReport,
  RunHow,
  ScriptedAnswer,
  ScriptedTool,
  WiredHost,
} from "../../contracts/adapter-driver.ts";
import { scriptedClient } from "./messages-server.ts";

const abilities = { nudge: "result", block: true, stop: "clean" } as const;
const OWN_ANSWER = "the program asks the human, and answers a rejected call by itself";
const request = { model: "scripted", max_tokens: 100 };
const prompt = { role: "user", content: "Where is it?" } as const;

export interface RunnerHow {
  /** Sends the whole conversation with each request. */
  readonly thread?: false;
  readonly runToolsEagerly?: boolean;
}

/** Drives `toolRunner`. The tools are wired once; each run has a runner of its own. A human is asked in the loop's body. */
export function createRunnerDriver(runnerHow: RunnerHow): AdapterDriver {
  return {
    abilities,
    lacks: { rejection: OWN_ANSWER },
    wire(scripted, options): WiredHost {
      const bare = scripted.filter(({ isProviderExecuted }) => !isProviderExecuted).map(toolOf);
      const tools = options === undefined ? bare : guard(bare, options);
      const asks = new Set(scripted.filter(({ needsApproval }) => needsApproval).map(({ name }) => name));
      return {
        async run(script, { isStreaming = false, signal } = {}) {
          const { client, requests } = scriptedClient(script);
          const { runToolsEagerly = false, ...how } = runnerHow;
          const eagerly = isStreaming && runToolsEagerly;
          const params = { ...request, messages: [prompt], tools, stream: isStreaming, ...how };
          const ready = { ...params, ...(eagerly && { runToolsEagerly: true }) };
          const runner = client.beta.messages.toolRunner(ready, { signal });
          if (options !== undefined) guard(runner);
          const report = await iterate(runner, asks);
          return { requests, ...report, stop: loopStop(runner) };
        },
      };
    },
  };
}

type Runner = ReturnType<Anthropic["beta"]["messages"]["toolRunner"]>;

async function iterate(runner: Runner, asks: ReadonlySet<string>): Promise<Omit<HostReport, "requests">> {
  const answers: Anthropic.Beta.BetaMessage[] = [];
  let approvals = 0;
  try {
    for await (const answer of runner) {
      const message = "finalMessage" in answer ? await answer.finalMessage() : answer;
      answers.push(message);
      approvals += message.content.filter((block) => block.type === "tool_use" && asks.has(block.name)).length;
      if (approvals > 0) break;
    }
    return { outcome: { answers, history: runner.params.messages }, approvals, answer: textOf(answers.at(-1)) };
  } catch (error) {
    return { outcome: answers, error };
  }
}

function toolOf({ name, run }: ScriptedTool): BetaRunnableTool {
  return {
    name,
    description: name,
    input_schema: { type: "object", additionalProperties: true },
    parse: (content) => content,
    run: async (args) => contentOf(await run(args)),
  };
}

/** Drives a hand-written loop, as an application writes it: a thrown error is its own to put into words. */
export function createLoopDriver(): AdapterDriver {
  return {
    abilities,
    lacks: { abort: "the program runs its tools by itself, and tells the guard of no signal", rejection: OWN_ANSWER },
    wire(tools, options): WiredHost {
      if (options !== undefined) guard([], options);
      return { run: (script, how = {}) => runLoop(tools, options, script, how) };
    },
  };
}

async function runLoop(
  tools: readonly ScriptedTool[],
  options: HostOptions | undefined,
  script: readonly ScriptedAnswer[],
  { isStreaming = false }: RunHow,
): Promise<HostReport> {
  const { client, requests } = scriptedClient(script);
  const messages: Anthropic.MessageParam[] = [prompt];
  const conversation = options && guard(messages, options);
  let approvals = 0;
  let last: Anthropic.Message | undefined;
  while (requests.length < 20) {
    const params = { ...request, messages };
    const message = await (isStreaming
      ? client.messages.stream(params).finalMessage()
      : client.messages.create(params));
    last = message;
    conversation?.message(message);
    messages.push({ role: message.role, content: message.content });
    const calls = message.content.filter((block) => block.type === "tool_use");
    approvals += calls.filter(({ name }) => tools.some((tool) => tool.name === name && tool.needsApproval)).length;
    if (calls.length === 0 || approvals > 0) break;
    const results = calls.map((call) => {
      const action = (): Promise<Anthropic.ToolResultBlockParam> => answer(tools, call);
      return conversation === undefined ? action() : conversation.call(call, action);
    });
    messages.push({ role: "user", content: await Promise.all(results) });
    if (conversation && loopStop(conversation)) break;
  }
  return { requests, outcome: messages, approvals, stop: conversation && loopStop(conversation), answer: textOf(last) };
}

export async function answer(
  tools: readonly ScriptedTool[],
  { id, name, input }: Anthropic.ToolUseBlock,
): Promise<Anthropic.ToolResultBlockParam> {
  try {
    const content = contentOf(await tools.find((tool) => tool.name === name)?.run(input));
    return { type: "tool_result", tool_use_id: id, content };
  } catch (error) {
    return { type: "tool_result", tool_use_id: id, content: String(error), is_error: true };
  }
}

/** What a program shows of an answer. */
function textOf(message: Anthropic.Message | Anthropic.Beta.BetaMessage | undefined): string | undefined {
  return message?.content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

/** A tool gives text or blocks; an object is its JSON. */
function contentOf(output: unknown): string {
  return typeof output === "string" ? output : JSON.stringify(output);
}

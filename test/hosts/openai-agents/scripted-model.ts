import type { AgentOutputItem, Model, ModelRequest, ModelResponse, StreamEvent } from "@openai/agents";
import { setTracingDisabled, Usage } from "@openai/agents";
import { answerAt, type ScriptedAnswer } from "../../contracts/adapter-driver.ts";

setTracingDisabled(true);

/** A model that answers from a script and notes what it was asked. */
export interface ScriptedModel extends Model {
  readonly requests: Pick<ModelRequest, "input" | "tools" | "systemInstructions">[];
}

export function scriptedModel(script: readonly ScriptedAnswer[]): ScriptedModel {
  const requests: ScriptedModel["requests"] = [];
  const answer = ({ input, tools, systemInstructions }: ModelRequest): AgentOutputItem[] => {
    requests.push(structuredClone({ input, tools, ...(systemInstructions && { systemInstructions }) }));
    return itemsOf(answerAt(script, requests.length - 1), requests.length);
  };
  return {
    requests,
    async getResponse(request): Promise<ModelResponse> {
      return { output: answer(request), usage: new Usage(), responseId: `response-${requests.length}` };
    },
    async *getStreamedResponse(request): AsyncGenerator<StreamEvent> {
      const output = answer(request);
      yield { type: "response_started" };
      const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
      yield { type: "response_done", response: { id: `response-${requests.length}`, output: output as never, usage } };
    },
  };
}

function itemsOf({ text, calls = [] }: ScriptedAnswer, at: number): AgentOutputItem[] {
  const words: AgentOutputItem[] =
    text === undefined
      ? []
      : [
          {
            type: "message",
            role: "assistant",
            id: `message-${at}`,
            status: "completed",
            content: [{ type: "output_text", text }],
          },
        ];
  return [
    ...words,
    ...calls.map(
      ({ id, tool, args }): AgentOutputItem => ({
        type: "function_call",
        id: `item-${id}`,
        callId: id,
        name: tool,
        arguments: JSON.stringify(args),
        status: "completed",
      }),
    ),
  ];
}

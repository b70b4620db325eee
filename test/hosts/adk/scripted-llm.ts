import { BaseLlm, type BaseLlmConnection, type LlmRequest, type LlmResponse } from "@google/adk";

type Content = NonNullable<LlmResponse["content"]>;
export type Part = NonNullable<Content["parts"]>[number];

/** A model that answers what it is told to answer. */
export class ScriptedLlm extends BaseLlm {
  readonly #answer: (request: LlmRequest) => Part[];

  constructor(answer: (request: LlmRequest) => Part[]) {
    super({ model: "scripted" });
    this.#answer = answer;
  }

  override async *generateContentAsync(request: LlmRequest, isStreaming?: boolean): AsyncGenerator<LlmResponse, void> {
    const parts = this.#answer(request);
    for (const part of isStreaming ? parts : []) {
      if (part.functionCall === undefined) yield { content: { role: "model", parts: [part] }, partial: true };
    }
    yield { content: { role: "model", parts } };
  }

  override async connect(): Promise<BaseLlmConnection> {
    throw new Error("a scripted model has no live connection");
  }
}

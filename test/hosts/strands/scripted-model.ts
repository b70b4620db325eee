import {
  type BaseModelConfig,
  type Message,
  Model,
  type ModelStreamEvent,
  type StreamOptions,
} from "@strands-agents/sdk";

/** One piece of an answer: words, thoughts, or a call. */
export type Piece =
  | { readonly text: string }
  | { readonly reasoning: string }
  | { readonly id: string; readonly tool: string; readonly args: object };

/** A model that answers what it is told to answer. */
export class ScriptedModel extends Model<BaseModelConfig> {
  readonly #answer: (messages: Message[], options: StreamOptions | undefined) => readonly Piece[];

  constructor(answer: (messages: Message[], options: StreamOptions | undefined) => readonly Piece[]) {
    super();
    this.#answer = answer;
  }

  override updateConfig(): void {}

  override getConfig(): BaseModelConfig {
    return { modelId: "scripted" };
  }

  override async *stream(messages: Message[], options?: StreamOptions): AsyncIterable<ModelStreamEvent> {
    const pieces = this.#answer(messages, options);
    yield { type: "modelMessageStartEvent", role: "assistant" };
    for (const piece of pieces) yield* streamed(piece);
    const stopReason = pieces.some((piece) => "tool" in piece) ? "toolUse" : "endTurn";
    yield { type: "modelMessageStopEvent", stopReason };
  }
}

function* streamed(piece: Piece): Generator<ModelStreamEvent> {
  if ("text" in piece) {
    yield { type: "modelContentBlockStartEvent" };
    yield { type: "modelContentBlockDeltaEvent", delta: { type: "textDelta", text: piece.text } };
  } else if ("reasoning" in piece) {
    yield { type: "modelContentBlockStartEvent" };
    yield { type: "modelContentBlockDeltaEvent", delta: { type: "reasoningContentDelta", text: piece.reasoning } };
  } else {
    const start = { type: "toolUseStart", name: piece.tool, toolUseId: piece.id } as const;
    yield { type: "modelContentBlockStartEvent", start };
    const input = JSON.stringify(piece.args);
    yield { type: "modelContentBlockDeltaEvent", delta: { type: "toolUseInputDelta", input } };
  }
  yield { type: "modelContentBlockStopEvent" };
}

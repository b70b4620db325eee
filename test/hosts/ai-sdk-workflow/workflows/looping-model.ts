import { WORKFLOW_DESERIALIZE, WORKFLOW_SERIALIZE } from "@ai-sdk/provider-utils";
import { MockLanguageModelV4 } from "ai/test";
import type { PromptMessage } from "../../shared/language-model.ts";
import { answerStream } from "../scripted.ts";

const LIMIT = 40;

/** A model that makes the same call in each answer, and gives up at last. A workflow writes it down, so all that it knows is what it is asked. */
export class LoopingModel extends MockLanguageModelV4 {
  static [WORKFLOW_SERIALIZE](): object {
    return {};
  }

  static [WORKFLOW_DESERIALIZE](): LoopingModel {
    return new LoopingModel();
  }

  constructor() {
    super({
      async doStream({ prompt }) {
        const before = (prompt as readonly PromptMessage[]).filter(({ role }) => role === "assistant").length;
        const isOver = before === LIMIT;
        const call = { id: `call-${before + 1}`, tool: "write_card", args: { id: 7 } };
        return { stream: answerStream(isOver ? { text: "I give up." } : { calls: [call] }) };
      },
    });
  }
}

import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { StructuredTool } from "@langchain/core/tools";
import { guard, loopStop } from "doomloop/langchain";
import { createAgent, modelCallLimitMiddleware, toolCallLimitMiddleware } from "langchain";

export async function withLimits(model: BaseChatModel, tools: StructuredTool[], messages: string): Promise<unknown> {
  // #region before
  const agent = createAgent({
    model,
    tools,
    middleware: [
      modelCallLimitMiddleware({ runLimit: 30 }),
      toolCallLimitMiddleware({ toolName: "read_file", runLimit: 5 }), // because it loops on reads
    ],
  });
  return agent.invoke({ messages }, { recursionLimit: 100 });
  // #endregion before
}

export async function withGuard(model: BaseChatModel, tools: StructuredTool[], messages: string): Promise<unknown> {
  // #region after
  const agent = createAgent(guard({ model, tools, middleware: [modelCallLimitMiddleware({ runLimit: 30 })] }));
  const result = await agent.invoke({ messages }, { recursionLimit: 100 });
  return loopStop(result)?.explanation ?? result.messages.at(-1)?.text;
  // #endregion after
}

import type { BaseMessage } from "@langchain/core/messages";
import type { ClientTool } from "@langchain/core/tools";

declare const model: string;
declare const tools: ClientTool[];
declare const messages: BaseMessage[];

// #region one-line
import { loopGuard } from "doomloop/langchain";
import { createAgent } from "langchain";

const agent = createAgent({ model, tools, middleware: [loopGuard()] });
await agent.invoke({ messages });
// #endregion one-line

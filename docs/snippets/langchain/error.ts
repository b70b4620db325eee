import type { BaseMessage } from "@langchain/core/messages";
import type { ClientTool } from "@langchain/core/tools";
import { createAgent } from "langchain";

declare const model: string;
declare const tools: ClientTool[];
declare const messages: BaseMessage[];
declare function handToHuman(...why: unknown[]): void;

// #region error
import { isLoopStopError, loopGuard } from "doomloop/langchain";

const agent = createAgent({ model, tools, middleware: [loopGuard({ exitBehavior: "error" })] });
const failure = await agent.invoke({ messages }).catch((error: unknown) => error);
if (isLoopStopError(failure)) handToHuman(failure.stop.explanation, failure.stop.tool);
// #endregion error

import type { Model, Tool } from "@strands-agents/sdk";

declare const model: Model;
declare const tools: Tool[];

// #region one-line
import * as strands from "@strands-agents/sdk";
import { loopGuard } from "doomloop/strands";

const agent = new strands.Agent({ model, tools, plugins: [loopGuard(strands)] });

// #endregion one-line

export { agent };

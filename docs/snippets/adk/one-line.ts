import type { BaseAgent } from "@google/adk";

declare const agent: BaseAgent;

// #region one-line
import { InMemoryRunner } from "@google/adk";
import { loopGuard } from "doomloop/adk";

const runner = new InMemoryRunner({ agent, plugins: [loopGuard()] });

// #endregion one-line

export { runner };

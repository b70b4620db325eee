import type { ClientTool } from "@langchain/core/tools";
import { createGuard } from "doomloop";
import type { Fleet } from "doomloop/fleet";
import { createAgent } from "langchain";

declare const fleet: Fleet;
declare const model: string;
declare const tools: ClientTool[];

// #region fleet
import { randomUUID } from "node:crypto";
import { guard } from "doomloop/langchain";

const config = guard(
  { model, tools },
  {
    createGuard: (options) =>
      createGuard({ ...options, fleet: fleet.join({ worker: "researcher-3", run: randomUUID() }) }),
  },
);
const agent = createAgent(config);

// #endregion fleet

export { agent };

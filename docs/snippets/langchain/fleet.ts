import { createGuard } from "doomloop";
import type { Fleet } from "doomloop/fleet";

declare const fleet: Fleet;

// #region fleet
import { randomUUID } from "node:crypto";
import { loopGuard } from "doomloop/langchain";

const middleware = [
  loopGuard({
    createGuard: (options) =>
      createGuard({ ...options, fleet: fleet.join({ worker: "researcher-3", run: randomUUID() }) }),
  }),
];

// #endregion fleet

export { middleware };

// #region in-process
import { createGuard } from "doomloop";
import { createMemoryFleet } from "doomloop/fleet";

const fleet = createMemoryFleet();

// for each worker
const guard = createGuard({ fleet: fleet.join({ worker: "researcher-3", run: "2" }) });

// #endregion in-process

export { guard };

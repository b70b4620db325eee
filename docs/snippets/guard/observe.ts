import type { AgentEvent, GuardOptions } from "doomloop";

declare const options: GuardOptions;
declare const event: AgentEvent;

// #region observe
import { createGuard } from "doomloop";

const guard = createGuard(options);
const decision = guard.observe(event);

// #endregion observe

export { decision };
